import { type Form, form } from '../streams/forms.ts'

const names = ['responses', 'chat', 'messages', 'generate'] as const

export interface Pair {
  readonly client: Form
  readonly account: Form
  /** `chat on messages`. */
  readonly pair: string
}

/** Every client with an account of every other dialect. */
export const pairs: readonly Pair[] = names.flatMap((client) =>
  names
    .filter((account) => account !== client)
    .map((account) => ({
      client: form[client],
      account: form[account],
      pair: `${client} on ${account}`,
    })),
)

/** The error of an answer, if it is in the client's own envelope. */
export function errorIn({ name }: Form, text: string): Record<string, unknown> {
  const body = JSON.parse(text) as { type?: unknown; error: Record<string, unknown> }
  const isMessages = body.type === 'error'
  const isGenerate = typeof body.error['status'] === 'string'
  const envelope = isMessages ? 'messages' : isGenerate ? 'generate' : 'openai'
  const own = name === 'messages' || name === 'generate' ? name : 'openai'
  if (envelope !== own) throw new Error(`A ${name} client got the envelope of ${envelope}: ${text}`)
  return body.error
}
