import { Turns } from './turns.ts'

/** Texts that are sorted or merged between two looks at the clock. */
const pieceSize = 2_000

/** Sorts texts by their UTF-16 code units, as `toSorted` does, in turns of the event loop. */
export async function sortInTurns(texts: readonly string[]): Promise<readonly string[]> {
  const turns = new Turns()
  let lists: string[][] = []
  for (let start = 0; start < texts.length; start += pieceSize) {
    lists.push(texts.slice(start, start + pieceSize).toSorted())
    if (turns.isOver) await turns.next()
  }
  while (lists.length > 1) {
    const merged: string[][] = []
    for (let index = 0; index < lists.length; index += 2) {
      merged.push(await merge(lists[index]!, lists[index + 1] ?? [], turns))
    }
    lists = merged
  }
  return lists[0] ?? []
}

async function merge(one: string[], other: string[], turns: Turns): Promise<string[]> {
  const merged: string[] = []
  for (let left = 0, right = 0; left < one.length || right < other.length;) {
    const isLeft = right === other.length || (left < one.length && one[left]! <= other[right]!)
    merged.push(isLeft ? one[left++]! : other[right++]!)
    if (merged.length % pieceSize === 0 && turns.isOver) await turns.next()
  }
  return merged
}
