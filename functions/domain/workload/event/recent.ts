/** Less than the cluster keeps an Event, which is one hour by default: one that was emitted exists, and is not written again. */
export const recentSeconds = 15 * 60;
