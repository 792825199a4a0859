import type { Said } from './accounts/index.ts'
import type { DialectName, Reading, ReadUsage } from './clients/index.ts'

export interface Pair {
  readonly client: DialectName
  readonly account: DialectName
}

/** What matters of a reading: the rest is a dialect's own business. */
export function meaningOf({ text, thoughts, calls, stop, usage, ending }: Reading) {
  return {
    text,
    thoughts,
    calls: calls.map(({ name, input }) => ({ name, input })),
    stop,
    usage: told(usage),
    ending,
  }
}

/** What a client must understand of what an account said. In Chat a refusal has words of its own. */
export function whatWasSaid(said: Said, { client, account }: Pair) {
  const { text, thoughts, calls, usage } = said
  const ending = endingOf(said, account)
  const refusal = client === 'chat' && ending === 'refused' ? 'The model refused to answer.' : ''
  return {
    text: text + refusal,
    thoughts,
    calls: calls.map(({ name, input }) => ({ name, input })),
    stop: stopWords[client][ending],
    usage: usage ? told({ ...usage }) : untold[client],
    ending: 'complete',
  }
}

type Ending = 'stop' | 'tool_calls' | 'length' | 'context' | 'filtered' | 'refused'

/** Messages has one word for what was filtered and what was refused. */
function endingOf({ ending, calls }: Said, account: DialectName): Ending {
  if (ending === 'filtered') return account === 'messages' ? 'refused' : 'filtered'
  if (ending === 'length') return 'length'
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

/** Each dialect's word for why a reply ended. */
export const stopWords: Record<DialectName, Record<Ending, string>> = {
  chat: {
    stop: 'stop',
    tool_calls: 'tool_calls',
    length: 'length',
    context: 'length',
    filtered: 'content_filter',
    refused: 'content_filter',
  },
  responses: {
    stop: 'completed',
    tool_calls: 'completed',
    length: 'max_output_tokens',
    context: 'max_output_tokens',
    filtered: 'content_filter',
    refused: 'content_filter',
  },
  messages: {
    stop: 'end_turn',
    tool_calls: 'tool_use',
    length: 'max_tokens',
    context: 'model_context_window_exceeded',
    filtered: 'refusal',
    refused: 'refusal',
  },
  generate: {
    stop: 'STOP',
    tool_calls: 'STOP',
    length: 'MAX_TOKENS',
    context: 'MAX_TOKENS',
    filtered: 'SAFETY',
    refused: 'SAFETY',
  },
}

/** Where nothing is known, SDKs of Messages read zeros. */
const untold: Record<DialectName, ReadUsage> = {
  chat: {},
  responses: {},
  messages: { input: 0, output: 0 },
  generate: {},
}

function told(usage: ReadUsage): ReadUsage {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined))
}
