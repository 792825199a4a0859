import { run } from '../api/client.ts'
import { pause } from '../api/pause.ts'
import { counted } from '../format/numbers.ts'
import { listOf } from '../format/words.ts'
import { amend } from '../ui/toasts.ts'
import { processName } from './looks.ts'
import { InForce, type InForceQuery } from './operations.generated.ts'

/** In how many processes the changes so far are in force, in words. */
export interface InForceWords {
  readonly text: string
  /** Whether all processes have them. */
  readonly isAll: boolean
}

const unknown: InForceWords = {
  text: 'In how many processes it is in force is not known.',
  isAll: false,
}

/** Reads an answer. `undefined`: the gateway has not answered. */
export function inForceWords(answer: InForceQuery | undefined): InForceWords {
  if (!answer) return unknown
  const { processes, changesInForce } = answer.gateway
  const { processIds, missingIds } = changesInForce
  const have = processIds.length
  if (have === 0) return unknown
  if (missingIds.length === 0) {
    const all = have === 1 ? 'the only process' : `all ${have} processes`
    return { text: `In force in ${all}.`, isAll: true }
  }
  const names = missingIds.map((id) => {
    const one = processes.find((process) => process.id === id)
    return one ? processName(one) : id === 'unknown' ? 'others, which are not known' : id
  })
  const of = counted(have + missingIds.length, 'process', 'processes')
  return { text: `In force in ${have} of ${of}; not known of ${listOf(names)}.`, isAll: false }
}

/** How often, and in which time in milliseconds, the processes are asked until all have a change. */
const mostAsked = 3
const betweenMs = 3_000

/** Says in the line of an act in how many processes it is in force. */
export async function sayInForce(line: number): Promise<void> {
  for (let asked = 1; asked <= mostAsked; asked++) {
    const answer = await run(InForce, {}).catch(() => undefined)
    const { text, isAll } = inForceWords(answer?.data)
    amend(line, isAll ? { note: text, warnings: [] } : { warnings: [text] })
    if (isAll || asked === mostAsked) return
    await pause(betweenMs)
  }
}
