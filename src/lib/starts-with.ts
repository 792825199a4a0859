/** Whether the bytes from `start` on begin with `prefix`. */
export function startsWith(frames: Buffer, start: number, prefix: Buffer): boolean {
  for (let index = 0; index < prefix.length; index++) {
    if (frames[start + index] !== prefix[index]) return false
  }
  return true
}
