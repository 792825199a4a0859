import { parseFrame, splitFrames } from '../../../../../src/dialect-kit/index.ts'
import type { Client, Conversation, Opening, Said } from './client.ts'

/** What a client of the dialect raises. */
export class Cough extends Error {
  readonly number: number

  constructor({ oops = '', number = 0 }: Reply) {
    super(oops)
    this.name = 'Cough'
    this.number = number
  }
}

export const shoutClient: Client = {
  open,
  isRaised: (error) => error instanceof Cough,
  done: 'done',
  waiting: 'calls',
}

interface ShoutCall {
  readonly id: string
  readonly helper: string
  readonly with: unknown
}

interface Reply {
  readonly echo?: string
  readonly calls?: readonly ShoutCall[]
  readonly end?: string
  readonly tally?: { readonly heard?: number; readonly said?: number }
  readonly oops?: string
  readonly number?: number
}

function open({ url, key, model, stream, system, helpers }: Opening): Conversation {
  const lines: object[] = system ? [{ by: 'prompter', words: system }] : []

  const ask = async (...more: object[]) => {
    lines.push(...more)
    const response = await fetch(`${url}/shout/v1/say`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-megaphone': key },
      body: JSON.stringify({
        voice: model,
        words: lines,
        ...(stream && { loud: true }),
        ...(helpers && { helpers }),
      }),
    })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const reply = isStream ? await heard(response) : ((await response.json()) as Reply)
    if (reply.oops !== undefined) throw new Cough(reply)
    const { echo, calls } = reply
    lines.push({ by: 'voice', words: echo, ...(calls && { calls }) })
    return readReply(reply)
  }

  return {
    say: (text) => ask({ by: 'crowd', words: text }),
    answer: (calls, text) =>
      ask(...calls.map(({ id }) => ({ by: 'helper', call: id, words: text }))),
  }
}

/** The whole of a stream. One without its `hush` is no reply. */
async function heard(response: Response): Promise<Reply> {
  const frames = splitFrames(Buffer.from(await response.arrayBuffer())).map(parseFrame)
  const events = frames.map(({ name, data = '' }) => ({ name, ...JSON.parse(data) }))
  const last = events.at(-1)
  if (last?.name !== 'hush') throw new Cough(last ?? {})
  const calls = events
    .filter(({ name }) => name === 'call')
    .map(({ id, helper, with: input }) => ({ id, helper, with: input }))
  const echo = events.map(({ word = '' }) => word).join('')
  return { ...last, echo, ...(calls.length > 0 && { calls }) }
}

function readReply({ echo = '', calls = [], end, tally }: Reply): Said {
  return {
    text: echo,
    calls: calls.map(({ id, helper, with: input }) => ({ id, name: helper, input })),
    ending: end,
    usage: [tally?.heard, tally?.said],
  }
}
