import { programName } from '../hints.ts'
import { quoted } from './failures.ts'

/** Whether the store of a gateway answers, and its address without a login. */
export interface StoreState {
  readonly isReachable: boolean
  /** Absent: not known. */
  readonly address?: string | undefined
}

/** The time for which a look at the store holds, in milliseconds. */
const validMs = 5_000

/**
 * Says on lines of their own what the answers to one command lack, each once. `readStore` is asked for an answer
 * that lacks something of other processes or of the store; its result holds for some seconds.
 */
export function incompleteNotice(
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
    const lacks = incompleteIn(extensions)
    if (lacks.length === 0) return
    const store = await readAgain()
    if (store?.isReachable === false) sayOnce(awayLine(store))
    for (const { field, reason } of lacks) sayOnce(quoted(`${field}: ${reason}`))
  }
}

function awayLine({ address }: StoreState): string {
  const shown = address === undefined ? '' : `, ${quoted(address)},`
  return `The store of the gateway${shown} does not answer: \`${programName()} doctor\` beside the gateway looks for the cause.`
}

/** The entries of `extensions.incomplete`. */
function incompleteIn(extensions: unknown): { field: string; reason: string }[] {
  const { incomplete } = Object(extensions) as { incomplete?: unknown }
  if (!Array.isArray(incomplete)) return []
  return incomplete.map((entry: unknown) => {
    const { field, reason } = Object(entry) as { field?: unknown; reason?: unknown }
    return { field: String(field), reason: String(reason) }
  })
}
