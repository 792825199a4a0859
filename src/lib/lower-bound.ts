/** The lowest of `length` indexes for which `isBehind` is true, or `length`. All higher indexes must satisfy it too. */
export function lowerBound(length: number, isBehind: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBehind(middle)) high = middle
    else low = middle + 1
  }
  return low
}
