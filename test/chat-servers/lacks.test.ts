import { expect, test } from 'vitest'

import { type AccountLack, accountLacks } from '../../src/generate/account-lacks.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import type { DialectName } from '../translate/clients/index.ts'
import { form } from '../walks/streams/forms.ts'
import { type Json, startServer } from './server.ts'

interface Row {
  readonly client: DialectName
  /** Default: chat. */
  readonly account?: DialectName
  readonly fields: Json
  /** What a server without the lack gets. */
  readonly sent: RegExp
  /** The loss that is named, or the field of the refusal. Absent: it goes without a word. */
  readonly loss?: string
  readonly isRefused?: true
}

const png = 'data:image/png;base64,iVBORw0KGgo='
const user = { role: 'user', content: 'hi' }
const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false }
const get = { type: 'function', name: 'get', description: 'd', parameters }
const asked = (...content: Json[]) => ({ input: [{ role: 'user', content }] })
const format = (type: string, fields: Json = {}) => ({ text: { format: { type, ...fields } } })
const document = (source: Json) => ({
  messages: [{ role: 'user', content: [{ type: 'document', source }] }],
})
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }
const sound = { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } }
const thought = {
  type: 'reasoning',
  summary: [],
  content: [{ type: 'reasoning_text', text: 'deep' }],
}
const configured = (generationConfig: Json) => ({ generationConfig })

/** A request for each word that uses it. */
const rows: Readonly<Record<string, Row>> = {
  audio_input: {
    client: 'generate',
    fields: { contents: [{ role: 'user', parts: [sound] }] },
    sent: /input_audio/,
    loss: 'contents[0].parts[0].inlineData',
    isRefused: true,
  },
  cache_key: { client: 'responses', fields: { prompt_cache_key: 'c' }, sent: /prompt_cache_key/ },
  candidates: {
    client: 'generate',
    fields: configured({ candidateCount: 2 }),
    sent: /"n":2/,
    loss: 'generationConfig.candidateCount',
    isRefused: true,
  },
  custom_tools: {
    client: 'responses',
    fields: { tools: [{ type: 'custom', name: 'run', description: 'd' }] },
    sent: /"custom"/,
    loss: 'tools[0]',
    isRefused: true,
  },
  end_user: { client: 'responses', fields: { safety_identifier: 'u1' }, sent: /"u1"/ },
  file_input: {
    client: 'messages',
    fields: document(pdf),
    sent: /file_data/,
    loss: 'messages[0].content[0]',
    isRefused: true,
  },
  // The gateway fetches files for accounts that do not, here from a host that it does not ask.
  file_url: {
    client: 'messages',
    account: 'responses',
    fields: document({ type: 'url', url: 'http://127.0.0.1/a.pdf' }),
    sent: /a\.pdf/,
    loss: 'messages[0].content[0]',
    isRefused: true,
  },
  frequency_penalty: {
    client: 'generate',
    fields: configured({ frequencyPenalty: 1 }),
    sent: /frequency_penalty/,
    loss: 'generationConfig.frequencyPenalty',
  },
  image_detail: {
    client: 'responses',
    fields: asked({ type: 'input_image', image_url: png, detail: 'low' }),
    sent: /"detail":"low"/,
    loss: 'input[0].content[0].detail',
  },
  image_input: {
    client: 'responses',
    fields: asked({ type: 'input_image', image_url: png }),
    sent: /base64/,
    loss: 'input[0].content[0]',
    isRefused: true,
  },
  image_url: {
    client: 'responses',
    fields: asked({ type: 'input_image', image_url: 'http://127.0.0.1/a.png' }),
    sent: /a\.png/,
    loss: 'input[0].content[0].image_url',
    isRefused: true,
  },
  json_object: {
    client: 'responses',
    fields: { ...format('json_object'), input: 'JSON, please' },
    sent: /json_object/,
    loss: 'text.format',
    isRefused: true,
  },
  json_schema: {
    client: 'responses',
    fields: format('json_schema', { name: 'a', schema: parameters }),
    sent: /json_schema/,
    loss: 'text.format',
    isRefused: true,
  },
  logprobs: {
    client: 'generate',
    fields: configured({ responseLogprobs: true, logprobs: 2 }),
    sent: /logprobs/,
    loss: 'generationConfig.responseLogprobs',
    isRefused: true,
  },
  metadata: {
    client: 'chat',
    account: 'responses',
    fields: { metadata: { a: 'b' } },
    sent: /"metadata"/,
  },
  parallel_tool_calls: {
    client: 'responses',
    fields: { tools: [get], parallel_tool_calls: false },
    sent: /parallel_tool_calls/,
    loss: 'parallel_tool_calls',
  },
  presence_penalty: {
    client: 'generate',
    fields: configured({ presencePenalty: 1 }),
    sent: /presence_penalty/,
    loss: 'generationConfig.presencePenalty',
  },
  reasoning: {
    client: 'responses',
    fields: {
      input: [user, thought, { role: 'assistant', content: 'a' }, user],
      reasoning: { effort: 'high' },
    },
    sent: /reasoning/,
    loss: 'reasoning.effort',
  },
  reasoning_effort: {
    client: 'responses',
    fields: { reasoning: { effort: 'high' } },
    sent: /reasoning_effort/,
    loss: 'reasoning.effort',
  },
  safety_identifier: {
    client: 'responses',
    fields: { safety_identifier: 'u1' },
    sent: /safety_identifier/,
  },
  seed: {
    client: 'generate',
    fields: configured({ seed: 7 }),
    sent: /"seed"/,
    loss: 'generationConfig.seed',
  },
  service_tier: {
    client: 'responses',
    fields: { service_tier: 'flex' },
    sent: /service_tier/,
    loss: 'service_tier',
  },
  // The gateway stops the answer.
  stop: {
    client: 'messages',
    fields: { stop_sequences: ['END'] },
    sent: /END/,
  },
  store: { client: 'responses', fields: { store: false }, sent: /"store"/ },
  strict_tools: {
    client: 'responses',
    fields: { tools: [{ ...get, strict: true }] },
    sent: /"strict"/,
    loss: 'tools[0].strict',
  },
  system_midway: {
    client: 'responses',
    fields: { input: [user, { role: 'developer', content: 'Late.' }, user] },
    sent: /hi.*Late/,
    loss: 'input[1]',
  },
  temperature_above_1: {
    client: 'responses',
    fields: { temperature: 1.5 },
    sent: /1\.5/,
    loss: 'temperature',
  },
  top_k: {
    client: 'messages',
    account: 'generate',
    fields: { top_k: 3 },
    sent: /topK/,
    loss: 'top_k',
  },
  verbosity: {
    client: 'responses',
    fields: { text: { verbosity: 'low' } },
    sent: /verbosity/,
    loss: 'text.verbosity',
  },
}

test('there is a row for each word', () => {
  // Their own tests: test/walks/chat-servers/stateless-responses.test.ts, test/codecs/converse/requests.test.ts.
  const elsewhere: readonly AccountLack[] = ['stored-responses', 'cache_points']
  const others = accountLacks.filter((word) => !elsewhere.includes(word))
  expect(Object.keys(rows).toSorted()).toEqual(others.toSorted())
})

test.each(Object.entries(rows))(
  'a server that lacks %s does not get it, and its loss has its name',
  async (word, { client, account = 'chat', fields, sent, loss, isRefused }) => {
    const asks = async (lacks: readonly AccountLack[]) => {
      const answer = answerJson(form[account].reply)
      await using server = await startServer(answer, account, {}, { lacks })
      const { status, text, losses } = await server.ask(client, { fields })
      return { status, text, losses, got: server.account.requests[0]?.body.toString() }
    }
    const whole = await asks([])
    expect(whole).toMatchObject({ status: 200, got: expect.stringMatching(sent), losses: null })

    const { status, got, losses, text } = await asks([word as AccountLack])
    if (isRefused) {
      expect({ status, got }).toEqual({ status: 400, got: undefined })
      expect(text).toContain(loss)
    } else {
      expect({ status, losses }).toEqual({ status: 200, losses: loss ?? null })
      expect(got).not.toMatch(sent)
    }
  },
)
