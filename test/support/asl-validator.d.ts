declare module "asl-validator" {
  /** The package ships no types of its own. */
  export default function validate(definition: object): {
    readonly isValid: boolean;
    readonly errorsText: () => string;
  };
}
