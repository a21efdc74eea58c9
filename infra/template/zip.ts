import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";

/** 1980-01-01, the first that a zip can have: the same files give the same bytes. */
const date = (1 << 5) | 1;

/** Made on Unix, so that the attributes below are permissions: Lambda reads a file only if everybody may. */
const madeBy = (3 << 8) | 20;
const readable = (0o100_644 << 16) >>> 0;

const deflated = 8;
const utf8Names = 1 << 11;

/** Returns a zip of all files in a folder. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function zipFolder(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).toSorted();
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const file of names) {
    const [name, content] = [Buffer.from(file), readFileSync(join(folder, file))];
    const packed = deflateRawSync(content, { level: 9 });
    const sizes = { crc: crc32(content), packed: packed.length, size: content.length, name: name.length };
    const entry = [header(0x04034b50, 30, 4, sizes), name, packed];
    local.push(...entry);
    const record = header(0x02014b50, 46, 6, sizes);
    record.writeUInt16LE(madeBy, 4);
    record.writeUInt32LE(readable, 38);
    record.writeUInt32LE(offset, 42);
    central.push(record, name);
    offset += entry.reduce((sum, { length }) => sum + length, 0);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(Buffer.concat(central).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}

interface Sizes {
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly name: number;
}

/** Returns what the local header of a file and its record in the directory have in common, from the version that is needed at `at`. */
function header(signature: number, length: number, at: number, { crc, packed, size, name }: Sizes): Buffer {
  const buffer = Buffer.alloc(length);
  buffer.writeUInt32LE(signature, 0);
  for (const [index, value] of [20, utf8Names, deflated, 0, date].entries())
    buffer.writeUInt16LE(value, at + 2 * index);
  for (const [index, value] of [crc, packed, size].entries()) buffer.writeUInt32LE(value, at + 10 + 4 * index);
  buffer.writeUInt16LE(name, at + 22);
  return buffer;
}
