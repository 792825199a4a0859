import type { JsonObject } from '../../src/lib/json/object.ts'
import { splitFrames } from '../../src/lib/sse.ts'
import { type Said, writers } from '../translate/accounts/index.ts'
import type { DialectName } from '../translate/clients/index.ts'
import { providers } from '../wire/replies/index.ts'

/** Whole replies of accounts of one dialect, as they come over the wire. */
export interface Corpus {
  readonly streams: readonly (readonly Buffer[])[]
  readonly bodies: readonly JsonObject[]
}

const usage = { input: 100, output: 40, cached: 60, reasoning: 12 }
const look = {
  id: 'call_1',
  name: 'look',
  input: { at: 'the \u{1f30d} \n"sky"', deep: [{ a: null }] },
}
const hear = { id: 'call_2', name: 'hear', input: {} }

const said: readonly Said[] = [
  { thoughts: '', text: 'Hello there, how are you?', calls: [], ending: 'done', usage },
  { thoughts: 'Hm, let me think.', text: 'Hello!', calls: [look, hear], ending: 'done', usage },
  { thoughts: 'Only a thought', text: '', calls: [look], ending: 'length' },
  { thoughts: '', text: 'No \u00e9\u4f60\u{1f600}', calls: [], ending: 'filtered', usage },
]

const cut = (text: string) => text.match(/[^]{1,9}/gu) ?? []

/** What is mutated: replies of the documentation's form, and those of real providers. */
export function corpusOf(account: DialectName): Corpus {
  const writer = writers[account]
  const real = providers.filter(({ speaks }) => speaks === account)
  const wires = real.flatMap(({ replies }) => replies)
  return {
    streams: [
      ...said.map((one) => writer.frames(one, cut).map((frame) => Buffer.from(frame))),
      ...wires.flatMap(({ stream }) => (stream ? [splitFrames(Buffer.from(stream))] : [])),
    ],
    bodies: [
      ...said.map((one) => writer.body(one)),
      ...wires.flatMap(({ body }) => (body ? [JSON.parse(body) as JsonObject] : [])),
    ],
  }
}
