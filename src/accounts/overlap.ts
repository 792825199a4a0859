/** Whether there can be a name that both match: names, or patterns with `*` for any run. */
export function overlap(one: string, other: string): boolean {
  /** Whether what is left of `other` from each place overlaps what of `one` has been looked at. */
  let row = placesAfter(other)
  for (let index = one.length - 1; index >= 0; index--) row = rowBefore(one[index], other, row)
  return row[0] ?? false
}

/** Nothing of the one is left: the rest of the other must be able to be nothing. */
function placesAfter(other: string): boolean[] {
  const stars = /\**$/.exec(other)?.[0].length ?? 0
  return Array.from({ length: other.length + 1 }, (_, place) => place >= other.length - stars)
}

function rowBefore(character: string | undefined, other: string, after: boolean[]): boolean[] {
  const row = Array.from({ length: other.length + 1 }, () => false)
  row[other.length] = character === '*' && (after[other.length] ?? false)
  for (let place = other.length - 1; place >= 0; place--) {
    const isStar = character === '*' || other[place] === '*'
    row[place] = isStar
      ? (after[place] ?? false) || (row[place + 1] ?? false)
      : character === other[place] && (after[place + 1] ?? false)
  }
  return row
}
