import { describe, expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { serving, startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { type Form, forms } from '../walks/streams/forms.ts'
import { openStream } from '../walks/streams/scripted.ts'

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
}

/** Those of servers that speak the Chat dialect alone. */
const chatEvents: Readonly<Record<string, string>> = {
  'a message': `data: ${JSON.stringify({ message, code: 500 })}\n\n`,
}

const streams = forms.filter(({ name }) => name !== 'generate-array')

const eventsOf = ({ name }: Form) =>
  Object.entries({ ...events, ...(name === 'chat' && chatEvents) })

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
