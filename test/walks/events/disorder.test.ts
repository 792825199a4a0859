import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { Emit } from '../../../src/generate/mapper.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { textOfBegun } from './begun.ts'
import { guardrail, without } from './guardrails.ts'

const failure = 'A plugin of the gateway failed on this reply.'

const before = (type: GenerateEvent['type'], first: GenerateEvent) =>
  guardrail((event, emit) => {
    if (event.type === type) emit(first)
    emit(event)
  }, 'careless')

/** Lets every event of one kind through twice. */
const twice = (type: GenerateEvent['type']) =>
  guardrail((event, emit) => {
    emit(event)
    if (event.type === type) emit(event)
  }, 'careless')

const careless = [
  { does: 'drops a part and not its text', plugin: without('part'), fault: 'without its `part`' },
  { does: 'begins a part twice', plugin: twice('part'), fault: 'second `part`' },
  { does: 'never ends a part', plugin: without('end'), fault: 'without the `end`' },
  { does: 'ends a part twice', plugin: twice('end'), fault: 'after its `end`' },
  {
    does: 'says more of a part that has ended',
    plugin: before('stop', { type: 'delta', index: 0, text: '!' }),
    fault: 'after its `end`',
  },
  {
    does: 'says something of a part that nobody began',
    plugin: before('part', { type: 'end', index: 7 }),
    fault: 'without its `part`',
  },
]

const pairs = [
  { client: form.responses, account: form.chat },
  { client: form.chat, account: form.chat },
  { client: form.messages, account: form.generate },
  { client: form.generate, account: form.messages },
]

const cases = careless.flatMap((one) =>
  pairs.flatMap((pair) => [true, false].map((stream) => ({ ...one, ...pair, stream }))),
)

describe.each(careless)('a mapper that $does', ({ plugin, fault, does }) => {
  test.each(dailyRows(cases.filter((one) => one.does === does)))(
    'fails by its name ($client.name on $account.name, stream: $stream)',
    async ({ client, account, stream }) => {
      await using mixed = await startMixed({ only: { form: account } }, { plugins: [plugin] })

      const response = await ask(mixed.gateway, client, { stream })
      const { text } = await receive(response)

      expect(text).toContain(failure)
      expect((await mixed.gateway.logged(1))[0]).toMatchObject({ error_type: 'plugin_failed' })
      expect(mixed.gateway.log).toMatchObject([
        {
          msg: `${plugin.name}: onEvents failed`,
          plugin: plugin.name,
          request_id: response.headers.get('x-request-id'),
          account: 'only',
          error: expect.stringContaining(fault) as string,
        },
      ])
    },
  )
})

test('a client that has read something by then learns it inside the stream', async () => {
  const text = await textOfBegun(twice('end'))

  expect(text).toContain('Hello')
  expect(text).toContain(failure)
  expect(text).not.toContain('[DONE]')
})

test('a mapper that fails to hear what went wrong has failed all the same', async () => {
  const deaf = (event: GenerateEvent, emit: Emit) => {
    try {
      if (event.type !== 'part') emit(event)
    } catch {
      // As a careless plugin does.
    }
  }
  await using mixed = await startMixed(
    { only: { form: form.chat } },
    { plugins: [guardrail(deaf, 'deaf')] },
  )

  const response = await ask(mixed.gateway, form.chat, { stream: false })

  expect(response.status).toBe(500)
  expect(mixed.gateway.log).toMatchObject([{ plugin: 'deaf' }])
})

test('what a mapper lets through after an error of its own is not held against it', async () => {
  const blocking = guardrail((event, emit) => {
    emit(event.type === 'part' ? { type: 'error', message: 'No.', status: 422 } : event)
  })
  await using mixed = await startMixed({ only: { form: form.chat } }, { plugins: [blocking] })

  for (const stream of [true, false]) {
    const response = await ask(mixed.gateway, form.chat, { stream })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('No.')
  }
  expect(mixed.gateway.log).toEqual([])
})

test('a mapper may leave whole parts out', async () => {
  const dropped = new Set<number>()
  const silent = guardrail((event, emit) => {
    if (event.type === 'part' && event.part.type === 'reasoning') dropped.add(event.index)
    if (!('index' in event) || !dropped.has(event.index)) emit(event)
  })
  const reasoning = { role: 'assistant', reasoning_content: 'Hm.', content: 'Hello' }
  const choices = [{ index: 0, message: reasoning, finish_reason: 'stop' }]
  const script = answerJson({ ...form.chat.reply, choices })
  await using mixed = await startMixed({ only: { form: form.chat, script } }, { plugins: [silent] })

  const { text } = await receive(await ask(mixed.gateway, form.messages, { stream: false }))

  expect(text).toContain('Hello')
  expect(text).not.toContain('Hm.')
  expect(mixed.gateway.log).toEqual([])
})
