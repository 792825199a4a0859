const size = 100

/** Calls `write` for each part of `count` records, one part after another. */
export async function inBatches(
  count: number,
  write: (from: number, size: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += size) await write(from, Math.min(size, count - from))
}
