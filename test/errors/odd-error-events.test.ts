import { describe, expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { callsTo, serving, startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { type Form, form, forms } from '../walks/streams/forms.ts'
import { openStream } from '../walks/streams/scripted.ts'
import { errorShapes } from './error-shapes.ts'

/** What the account says of itself: the key that the gateway has for it. */
const secret = 'key-of-a'
const message = `no such tenant for ${secret}`

/** Errors as servers in front of an account write them, in forms of other dialects or of none. */
const events: Readonly<Record<string, string>> = {
  'an error without a type': `data: ${JSON.stringify({ error: { message } })}\n\n`,
  'an error that is a text': `data: ${JSON.stringify({ error: message })}\n\n`,
  'an event called error': `event: error\ndata: ${JSON.stringify({ message })}\n\n`,
  'an object called error': `data: ${JSON.stringify({ object: 'error', message })}\n\n`,
  'an event of the type error': `data: ${JSON.stringify({ type: 'error', message })}\n\n`,
  'a detail': `data: ${JSON.stringify({ detail: message })}\n\n`,
  'details of a validation': `data: ${JSON.stringify({ detail: [{ msg: message }] })}\n\n`,
  'an error in a list': `data: ${JSON.stringify([{ error: { code: 503, message } }])}\n\n`,
  'an error behind output in a list': `data: ${JSON.stringify([{}, { error: message }])}\n\n`,
  ...Object.fromEntries(
    Object.entries(errorShapes(message)).map(([name, body]) => [
      name,
      `data: ${JSON.stringify(body)}\n\n`,
    ]),
  ),
}

/** Those of servers that speak the Chat dialect alone. */
const chatEvents: Readonly<Record<string, string>> = {
  'a message': `data: ${JSON.stringify({ message, code: 500 })}\n\n`,
}

const streams = forms.filter(({ name }) => name !== 'generate-array')

/** Errors beside output, where only the last one of a reply has a mark of its own. */
const generateEvents: Readonly<Record<string, string>> = Object.fromEntries(
  ['error', 'errors'].map((name) => [
    `${name} beside output`,
    `data: ${JSON.stringify({ ...form.generate.reply, candidates: [{}], [name]: [message] })}\n\n`,
  ]),
)

const eventsOf = ({ name }: Form) =>
  Object.entries({
    ...events,
    ...(name === 'chat' && chatEvents),
    ...(name === 'generate' && generateEvents),
  })

describe.each(streams)('an account that speaks $name', (account) => {
  test.each(eventsOf(account))('and ends its output with %s', async (_, event) => {
    const script: Answer = (response) => {
      openStream(response, [...account.announcements, ...account.output, event])
      response.end(account.ending.join(''))
    }
    const speaks = [account.name]
    await using pool = await startPool(account, { a: script }, {}, (one) => ({ ...one, speaks }))
    for (const client of streams) {
      const { text } = await receive(await ask(pool.gateway, client))
      const said = [client.name, text.includes(secret), client.success.test(text)]
      expect([...said, text]).toEqual([client.name, false, false, text])
      expect(text).toMatch(/no such tenant|reported an error|terminated/)
    }
  })

  test.each(eventsOf(account))('and begins with %s: another one answers', async (_, event) => {
    const script: Answer = (response) => {
      openStream(response, [event])
      response.end(account.ending.join(''))
    }
    await using pool = await startPool(account, { a: script, b: serving(account) })
    const { text } = await receive(await ask(pool.gateway, account))
    expect(text).toMatch(account.success)
    expect(text).not.toContain(secret)
  })
})

/** A mistake of the caller, in forms of other dialects or of none. */
const mistakes: Readonly<Record<string, object>> = {
  'a status': { error: { message: 'prompt too long', code: 400 } },
  'a type of OpenAI': { error: { message: 'prompt too long', type: 'invalid_request_error' } },
  'a text as status': { error: { message: 'prompt too long', code: '422' } },
}

/** The status that each of them stands for. */
const statuses: Readonly<Record<string, number>> = {
  'a status': 400,
  'a type of OpenAI': 400,
  'a text as status': 422,
}

/** More than the failures in a row that open a circuit. */
const calls = 7

describe.each(streams)('an account that speaks $name and calls a request wrong', (account) => {
  test.each(Object.entries(mistakes))(
    'by %s takes nothing from other calls, whichever client asks',
    async (name, mistake) => {
      let isWrong = true
      const script: Answer = (response, request) => {
        if (!isWrong) return serving(account)(response, request)
        openStream(response, [`data: ${JSON.stringify(mistake)}\n\n`])
        response.end()
      }
      const speaks = [account.name]
      const scripts = { a: script, b: serving(account) }
      await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
      for (const client of streams) {
        isWrong = true
        for (let call = 0; call < calls; call++) {
          const { status } = await ask(pool.gateway, client)
          expect([client.name, status]).toEqual([client.name, statuses[name]])
        }
        isWrong = false
        expect((await receive(await ask(pool.gateway, client))).text).toMatch(client.success)
      }
      expect(callsTo(pool.accounts.a)).toHaveLength(streams.length * (calls + 1))
      expect(callsTo(pool.accounts.b)).toHaveLength(0)
    },
  )
})
