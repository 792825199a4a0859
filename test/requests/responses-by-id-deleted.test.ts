import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { startOwner } from '../walks/chaining/owner.ts'
import { createGate } from '../walks/streams/scripted.ts'

const paths = [
  ['a response', '/v1/responses/x1'],
  ['a conversation', '/v1/conversations/x1'],
] as const

describe('a client that deletes', () => {
  test.each(paths)('%s that its account does not give up still has it', async (_what, path) => {
    await using owner = await startOwner()
    owner.script = answerJson({ id: 'x1', deleted: false })
    expect((await owner.ask('DELETE', path)).status).toBe(200)
    owner.script = answerJson({ error: { message: 'Not now.' } }, { status: 409 })
    expect((await owner.ask('DELETE', path)).status).toBe(409)
    owner.script = answerJson({ error: { message: 'Not now.' } })
    expect((await owner.ask('DELETE', path)).status).toBe(502)

    owner.script = answerJson({ id: 'x1', deleted: true })
    expect((await owner.ask('GET', path)).status).toBe(200)
    expect((await owner.ask('DELETE', path)).status).toBe(200)
    expect((await owner.ask('GET', path)).status).toBe(404)
    expect(owner.requests).toHaveLength(5)
  })

  test.each(paths)('%s and leaves has it deleted all the same', async (_what, path) => {
    const gate = createGate()
    let client: { readonly gone: boolean } | undefined
    const watching = definePlugin({
      name: 'watching',
      onExchange({ exchange, next }) {
        client = exchange.client
        return next()
      },
    })
    await using owner = await startOwner({ plugins: [watching] })
    const { url, key } = owner.gateway
    owner.script = async (response, request) => {
      await gate.opened
      return answerJson({ id: 'x1', deleted: true })(response, request)
    }
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${key}` }
    const asked = fetch(url + path, { method: 'DELETE', headers, signal: leaving.signal })
    await until(() => owner.requests.length === 1)
    leaving.abort()
    await expect(asked).rejects.toThrow('aborted')
    await until(() => client?.gone === true)
    gate.open()
    await owner.gateway.logged(3)

    expect((await owner.ask('GET', path)).status).toBe(404)
    expect(owner.requests).toMatchObject([{ method: 'DELETE', aborted: false }])
  })
})
