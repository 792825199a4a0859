import { programName } from '../hints.ts'
import { quoted } from './failures.ts'

/** Whether the store of a gateway answers, and its address without a login. */
export interface StoreState {
  readonly isReachable: boolean
  /** Absent: not known. */
  readonly address?: string | undefined
}

/** What an answer lacks, by the member of its `extensions`. `isAway`: the store does not answer. */
const meanings = {
  unanswered: (names: string, isAway: boolean) =>
    isAway
      ? `The part of other processes is missing${names && `: ${names}`}.`
      : `These processes do not answer; their part is missing: ${names}.`,
  incomplete: (names: string) =>
    `These processes keep calls from accounts for more causes than they say, or from more accounts, of which some look enabled: ${names}.`,
  stale: (names: string, isAway: boolean) =>
    `${isAway ? '' : 'The store does not answer. '}This is what was known last: ${names}.`,
  unrecorded: (names: string) => `The audit log lacks the result of: ${names}.`,
}

/** The time for which a look at the store holds, in milliseconds. */
const validMs = 5_000

/**
 * Says on lines of their own what the answers to one command lack, each once. `readStore` is asked for an answer
 * that lacks something of other processes or of the store; its result holds for some seconds.
 */
export function lackSayer(
  say: (line: string) => void,
  readStore: () => Promise<StoreState | undefined>,
): (extensions: unknown) => Promise<void> {
  const said = new Set<string>()
  const sayOnce = (line: string) => {
    if (!said.has(line)) say(line)
    said.add(line)
  }
  let reading: Promise<StoreState | undefined> | undefined
  let readAt = -Infinity
  // A command that follows events runs for hours, in which the store goes and comes back.
  const readAgain = () => {
    if (reading && performance.now() - readAt < validMs) return reading
    readAt = performance.now()
    return (reading = readStore())
  }
  return async (extensions) => {
    const lacks = lacksIn(extensions)
    const mayBeAway = lacks.some(([kind]) => kind === 'unanswered' || kind === 'stale')
    const store = mayBeAway ? await readAgain() : undefined
    const isAway = store?.isReachable === false
    if (isAway) sayOnce(awayLine(store))
    for (const [kind, names] of lacks) {
      // The word stands for processes that were never seen.
      const known = isAway ? names.filter((name) => name !== 'unknown') : names
      sayOnce(meanings[kind](quoted(known.toSorted().join(', ')), isAway))
    }
  }
}

function awayLine({ address }: StoreState): string {
  const shown = address === undefined ? '' : `, ${quoted(address)},`
  return `The store of the gateway${shown} does not answer: \`${programName()} doctor\` beside the gateway looks for the cause.`
}

function lacksIn(extensions: unknown): [keyof typeof meanings, string[]][] {
  return (Object.keys(meanings) as (keyof typeof meanings)[]).flatMap((kind) => {
    const names: unknown = Object(extensions)[kind]
    if (!Array.isArray(names) || names.length === 0) return []
    return [[kind, names.map(String)] as [keyof typeof meanings, string[]]]
  })
}
