import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { serving, startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { type Form, forms } from '../walks/streams/forms.ts'
import { errorShapes } from './error-shapes.ts'

const secret = 'key-of-a'
const message = `no such tenant for ${secret}`

/** Errors with a 2xx status, as servers in front of an account write them. */
const bodies: Readonly<Record<string, Record<string, unknown>>> = {
  'an error that is a text': { error: message },
  'an object called error': { object: 'error', message },
  'a body of the type error': { type: 'error', message },
  'a detail': { detail: message },
  ...errorShapes(message),
}

/** That of servers that speak the Chat dialect alone. */
const chatBodies = { 'a message': { message, code: 500 } }

const bodiesOf = ({ name }: Form) =>
  Object.entries({ ...bodies, ...(name === 'chat' && chatBodies) })

/** Members that say of a reply that it is none. */
const noErrors: Readonly<Record<string, Record<string, unknown>>> = {
  null: { error: null, errors: null },
  false: { error: false, errors: false },
  'an empty text': { error: '', errors: '' },
  'an empty list': { error: [], errors: [] },
  'an empty object': { error: {}, errors: {} },
  'a list of nothing': { error: [null], errors: [null] },
  'an object without values': {
    error: { code: 0, message: '', type: null },
    errors: [{ code: null, message: null }],
  },
  'an empty list of details': { error: { message: '', details: [] } },
  'an empty object beside a message': { error: {}, message: 'ok' },
}

const dialects = forms.filter(({ name }) => name !== 'generate-array')

describe.each(dialects)('an account that speaks $name', (account) => {
  test.each(bodiesOf(account))('and replies with %s has failed', async (_, body) => {
    const speaks = [account.name]
    const scripts = { a: answerJson(body) }
    await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
    for (const client of dialects) {
      const answer = await ask(pool.gateway, client, { stream: false })
      const { text } = await receive(answer)
      const seen = [client.name, answer.status >= 500, text.includes(secret)]
      expect([...seen, text]).toEqual([client.name, true, false, text])
    }
  })

  test.each(bodiesOf(account))('and replies with %s: another one answers', async (_, body) => {
    const speaks = [account.name]
    const scripts = { a: answerJson(body), b: serving(account) }
    await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
    for (const client of dialects) {
      const answer = await ask(pool.gateway, client, { stream: false })
      expect([client.name, answer.status]).toEqual([client.name, 200])
    }
  })

  test.each(Object.entries(noErrors))('and has %s as error has not failed', async (_, members) => {
    const speaks = [account.name]
    const scripts = { a: answerJson({ ...account.reply, ...members }) }
    await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
    for (const client of dialects) {
      const answer = await ask(pool.gateway, client, { stream: false })
      expect([client.name, answer.status]).toEqual([client.name, 200])
    }
  })
})
