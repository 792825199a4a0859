import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../../src/index.ts'
import type { Answer } from '../../../src/testing/index.ts'
import { serving, startPool } from '../failover/pool.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { ask, receive } from './asking.ts'
import { startEnding } from './ending-account.ts'
import { form, upToOutput, wholeStream } from './forms.ts'
import { accountFor, createGate, openStream, stage } from './scripted.ts'

const { responses } = form

function ending(status: string, fields: object = {}): string {
  const response = { id: 'resp_1', object: 'response', status, output: [], ...fields }
  const event = { type: `response.${status}`, sequence_number: 4, response }
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

const failure = (code: string) => ({ error: { code, message: 'the model gave up' } })

describe('a response that the account ends with', () => {
  test.each([
    { status: 'incomplete', fields: { incomplete_details: { reason: 'max_output_tokens' } } },
    { status: 'failed', fields: failure('server_error') },
    { status: 'failed', fields: failure('invalid_prompt') },
  ])('response.$status after its output is a whole answer', async ({ status, fields }) => {
    const stream = [...upToOutput(responses), ending(status, fields)]
    await using scene = await stage(responses, (response) => {
      openStream(response)
      response.end(stream.join(''))
    })

    const received = await receive(await ask(scene.gateway, responses))

    expect(received).toEqual({ text: stream.join(''), reset: false })
    expect((await scene.gateway.logged(1))[0]).toMatchObject({
      stream_end: 'complete',
      response_id: 'resp_1',
    })
  })

  test.each(['one write', 'two writes'])(
    'a failure that a contrary success follows stays a failure, in %s',
    async (writes) => {
      const outcomes: string[] = []
      const plugin = definePlugin({
        name: 'outcomes',
        onOutcome: ({ outcome }) => void outcomes.push(outcome.status),
      })
      const script: Answer = (response) => {
        openStream(response)
        const failed = [...upToOutput(responses), ending('failed', failure('server_error'))].join(
          '',
        )
        if (writes === 'two writes') response.write(failed, () => response.end(ending('completed')))
        else response.end(failed + ending('completed'))
      }
      await using scene = await stage(responses, script, { plugins: [plugin] })

      await receive(await ask(scene.gateway, responses))

      await scene.gateway.logged(1)
      expect(outcomes).toEqual(['failed'])
    },
  )

  test.each(['server_error', 'rate_limit_exceeded'])(
    'response.failed (%s) before any output is asked of another account',
    async (code) => {
      await using pool = await startPool(responses, {
        a(response) {
          openStream(response)
          response.end([...responses.announcements, ending('failed', failure(code))].join(''))
        },
        b: serving(responses),
      })

      const response = await ask(pool.gateway, responses)

      expect(response.headers.get('x-dragoman-account')).toBe('b')
      expect((await receive(response)).text).not.toContain('the model gave up')
    },
  )

  test('response.failed for a prompt that no account would take reaches the client', async () => {
    const stream = [...responses.announcements, ending('failed', failure('invalid_prompt'))]
    await using pool = await startPool(responses, {
      a(response) {
        openStream(response)
        response.end(stream.join(''))
      },
      b: serving(responses),
    })

    const { text } = await receive(await ask(pool.gateway, responses))

    expect(text).toBe(stream.join(''))
    expect(pool.accounts.b.requests).toHaveLength(0)
  })

  test('[DONE] alone is no whole answer', async () => {
    const stream = [...upToOutput(responses), 'data: [DONE]\n\n']
    await using scene = await stage(responses, (response) => {
      openStream(response)
      response.end(stream.join(''))
    })

    const { text } = await receive(await ask(scene.gateway, responses))

    expect(text).toContain('event: response.failed')
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })
  })

  test('[DONE] after its last event passes as it is', async () => {
    const stream = [...upToOutput(responses), ...responses.ending, 'data: [DONE]\n\n']
    await using scene = await stage(responses, (response) => {
      openStream(response)
      response.end(stream.join(''))
    })

    const received = await receive(await ask(scene.gateway, responses))

    expect(received).toEqual({ text: stream.join(''), reset: false })
  })
})

test('a reply whose connection ends while its id is recorded is whole', async () => {
  const whole = wholeStream(responses).join('')
  const mayRecord = createGate()
  const recording = definePlugin({
    name: 'recording',
    critical: true,
    onProduced: () => mayRecord.opened,
  })
  await using account = await startEnding(whole.slice(0, 100), { behind: whole.slice(100) })
  await using gateway = await createTestGateway({
    plugins: [recording],
    accounts: [accountFor(responses, 'a', account.url)],
  })

  const call = ask(gateway, responses, { fields: { background: true } })
  account.end()
  await account.closed
  mayRecord.open()

  expect(await receive(await call)).toEqual({ text: whole, reset: false })
  expect((await gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
})
