import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { until } from '../../../src/testing/until.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { ask, receive, receiveUntil } from './asking.ts'
import { type Form, asDelivered, form, forms } from './forms.ts'
import { accountFor, openStream, stage } from './scripted.ts'

/** A member of 1.5 MB that no dialect knows: an event with it has a turn of the event loop of its own. */
const more = `"more":[${`"${'x'.repeat(100)}",`.repeat(15_000)}1]`

/** A member with more values than one event may have. */
const tooMany = `"more":[${'{"at":"1234567"},'.repeat(300_000)}1]`

/** The frame with another member at the front of its data. */
function withMember(frame: string, member: string): string {
  return frame.replace('data: {', () => `data: {${member},`)
}

/** The form's stream, its first output and its last event large. */
function largeStream({ announcements, output, ending }: Form): string[] {
  const [first, ...rest] = output
  const last = ending.findLastIndex((frame) => frame.includes('data: {'))
  return [
    ...announcements,
    withMember(first!, more),
    ...rest,
    ...ending.map((frame, at) => (at === last ? withMember(frame, more) : frame)),
  ]
}

describe.each(forms)('a client of a $name stream', (form) => {
  test('gets large events among small ones as they are', async () => {
    const frames = largeStream(form)
    await using scene = await stage(form, (response) => {
      openStream(response)
      response.end(frames.join(''))
    })
    const { text, reset } = await receive(await ask(scene.gateway, form))
    const closing = form.name === 'generate-array' ? ']' : ''
    expect(text === asDelivered(form, frames) + closing).toBe(true)
    expect(reset).toBe(false)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
    expect(scene.gateway.gateway.held()).toBe(0)
  })

  test.each([
    ['is cut off inside', `"more":[${more.slice('"more":['.length, -2)}`, 'malformed event'],
    ['has too many values', tooMany, 'too many JSON values'],
  ])('is told of a large event that %s', async (_, member, message) => {
    const frames = [...form.announcements, form.output[0]!, withMember(form.ending[0]!, member)]
    await using scene = await stage(form, (response) => {
      openStream(response)
      response.end([...frames, ...form.ending.slice(1)].join(''))
    })
    const { text } = await receive(await ask(scene.gateway, form))
    expect(text).toContain('Hello')
    expect(text).toContain(message)
    expect(text).not.toMatch(form.success)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })
  })
})

/** Clients and the dialects of accounts that are translated for them. */
const pairs = (['chat', 'messages', 'responses', 'generate'] as const).flatMap((client) =>
  (['chat', 'messages', 'responses', 'generate'] as const)
    .filter((account) => account !== client)
    .map((account) => ({ client, account })),
)

test.each(dailyRows(pairs))(
  'a $client client gets the texts around large events of a $account account in their order',
  async ({ client, account }) => {
    const received = async (frames: readonly string[]) => {
      await using speaker = await startFakeAccount((response) => {
        openStream(response)
        response.end(frames.join(''))
      })
      const settings = { ...accountFor(form[account], 'only', speaker.url), speaks: [account] }
      await using gateway = await createTestGateway({ accounts: [settings] })
      const { text } = await receive(await ask(gateway, form[client]))
      expect((await gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
      return text.replaceAll(
        /"(?:id|item_id|responseId|created|created_at|completed_at)":("[^"]*"|\d+)/g,
        '',
      )
    }
    const { announcements, output, ending } = form[account]
    const ordinary = await received([...announcements, ...output, ...ending])
    expect(await received(largeStream(form[account]))).toBe(ordinary)
    expect(ordinary).toContain('Hello')
  },
)

test.each([form.chat, form['generate-array']])(
  'a large event of a $name stream names the model as its client asked',
  async (form) => {
    await using account = await startFakeAccount((response) => {
      openStream(response)
      response.end(largeStream(form).join(''))
    })
    await using gateway = await createTestGateway({
      accounts: [accountFor(form, 'only', account.url, { replyModel: 'client' })],
    })
    const { text } = await receive(await ask(gateway, form, { model: 'asked' }))
    const frames = largeStream(form).map((frame) =>
      frame.replace(/"(model|modelVersion)":"m"/, '"$1":"asked"'),
    )
    const closing = form.name === 'generate-array' ? ']' : ''
    expect(text === asDelivered(form, frames) + closing).toBe(true)
  },
)

test('a large event without the blank line behind it is whole where its JSON is', async () => {
  const frames = largeStream(form.messages)
  await using scene = await stage(form.messages, (response) => {
    openStream(response)
    response.end(frames.join('').trimEnd())
  })
  const { text, reset } = await receive(await ask(scene.gateway, form.messages))
  expect(text.length).toBe(frames.join('').length)
  expect(reset).toBe(false)
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
})

describe.each(forms)('a client of a $name stream that ends inside a long frame', (form) => {
  const ends = [
    ['a text', '{"a":"xx'],
    ['a text behind a bracket', '{"a":"xx}'],
    ['an object', '{"a":{}'],
    ['an object in lists', '{"a":[[{"b":{}}'],
  ] as const
  test.each(dailyRows(ends, forms.indexOf(form)))(
    'is told that it was cut off in %s',
    async (_, end) => {
      const [, output] = form.output
      const cut = withMember(output!, `"more":${end}`).split(end)[0]! + end
      const long = cut.replace('"more":', `"most":"${'x'.repeat(100_000)}","more":`)
      // The end of the dialect comes before, where clients may stop to read.
      for (const before of [[], form.ending]) {
        const frames = [...form.announcements, ...form.output, ...before]
        await using scene = await stage(form, (response) => {
          openStream(response)
          response.end(frames.join('') + long)
        })
        const { text } = await receive(await ask(scene.gateway, form))
        expect(text).not.toContain('xxx')
        const [line] = await scene.gateway.logged(1)
        const isOver = before.length > 0 && form.provider !== 'gemini'
        expect(line).toMatchObject({ stream_end: isOver ? 'complete' : 'broken' })
        if (!isOver) expect(text).toContain('cut off in the middle of a frame')
      }
    },
  )
})

test('a stream keeps no memory for a large event that has passed', async () => {
  const end = Promise.withResolvers<void>()
  await using scene = await stage(form.messages, async (response) => {
    openStream(response, [
      ...form.messages.announcements,
      withMember(form.messages.output[0]!, more),
    ])
    await end.promise
    response.end(form.messages.ending.join(''))
  })
  const response = await ask(scene.gateway, form.messages)
  const reader = response.body!.getReader()
  await receiveUntil(reader, (text) => text.endsWith('}\n\n'))
  expect(scene.gateway.gateway.held()).toBe(0)
  end.resolve()
  await receiveUntil(reader, (text) => text.includes('message_stop'))
})

test('a client that leaves while its large event is parsed ends the call of the account', async () => {
  const events = withMember(form.chat.output[0]!, more).repeat(4)
  let isOpen = true
  await using scene = await stage(form.chat, (response) => {
    openStream(response, [...form.chat.announcements, events])
    response.on('close', () => (isOpen = false))
  })
  const leaving = new AbortController()
  const call = ask(scene.gateway, form.chat, { signal: leaving.signal }).catch(() => 'left')
  await until(() => scene.gateway.gateway.held() > 0)
  leaving.abort()
  expect(await call).toBe('left')
  await until(() => !isOpen)
  await until(() => scene.gateway.gateway.held() === 0)
})
