import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { type Answer, answerJson } from '../../src/testing/fake-account.ts'
import { startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { openStream } from '../walks/streams/scripted.ts'

const { chat, messages } = form

/** Ends of choices that mean a failure, and whose fault it is with which status. */
const ends = [
  [{ finish_reason: 'error', error: { code: 502, message: 'key-of-a' } }, ['account', 502]],
  [{ finish_reason: 'error', error: { code: 400, message: 'too long' } }, ['caller', 400]],
  [{ finish_reason: 'error' }, ['account', 502]],
  [{ finish_reason: 'network_error' }, ['account', 502]],
  [{ finish_reason: 'insufficient_system_resource' }, ['account', 503]],
] as const

/** The outcomes of the calls of a native and of another client, and what the native one got. */
async function outcomesOf(answer: Answer, stream: boolean) {
  const outcomes: unknown[] = []
  const noting = definePlugin({
    name: 'noting',
    onOutcome: ({ outcome }) =>
      void outcomes.push([outcome.status, outcome.fault, outcome.httpStatus]),
  })
  const options = { plugins: [noting] }
  await using pool = await startPool(chat, { a: answer }, options, (one) => ({
    ...one,
    speaks: ['chat'],
  }))
  const native = await ask(pool.gateway, chat, { stream })
  const { text } = await receive(native)
  await receive(await ask(pool.gateway, messages, { stream }))
  return { status: native.status, text, outcomes }
}

test.each(ends)(
  'a reply whose choice ends with %j has failed, native as translated',
  async (end, expected) => {
    const choice = { index: 0, message: { role: 'assistant', content: '' }, ...end }
    const { status, text, outcomes } = await outcomesOf(
      answerJson({ ...chat.reply, choices: [choice] }),
      false,
    )
    expect([status, text.includes(end.finish_reason), text.includes('key-of-a')]).toEqual([
      200,
      true,
      false,
    ])
    expect(outcomes).toEqual([
      ['failed', ...expected],
      ['failed', ...expected],
    ])
  },
)

test.each(ends)(
  'a stream whose choice ends with %j has failed, native as translated',
  async (end, expected) => {
    const chunk = { id: 'chatcmpl-1', choices: [{ index: 0, delta: {}, ...end }] }
    const answer: Answer = (response) => {
      openStream(response, [...chat.announcements, ...chat.output])
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    }
    const { text, outcomes } = await outcomesOf(answer, true)
    expect([text.includes(end.finish_reason), text.includes('key-of-a')]).toEqual([true, false])
    expect(outcomes).toEqual([
      ['failed', ...expected],
      ['failed', ...expected],
    ])
  },
)
