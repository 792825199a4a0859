import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { answerOk, startForms, uploadOf } from './service.ts'

const body = uploadOf(randomBytes(3 * 1024 * 1024), 'theirs')

test.each([429, 503, 500])(
  'where the first account answers %i, the next one gets the whole form',
  async (status) => {
    const refuse = answerJson({ error: { message: 'not now' } }, { status })
    await using service = await startForms([refuse, answerOk])
    const response = await service.send(body)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-account')).toBe('two')
    const [first, second] = service.accounts.map(({ requests }) => requests[0]?.body)
    expect(first?.length).toBeGreaterThan(body.length)
    expect(second?.equals(first as Buffer)).toBe(true)
    await service.isClear()
  },
)

test('and where the first one is gone, or breaks off', async () => {
  await using service = await startForms([(response) => void response.destroy(), answerOk])
  await service.accounts[0]?.[Symbol.asyncDispose]()
  expect((await service.send(body)).headers.get('x-dragoman-account')).toBe('two')
  await using another = await startForms([(response) => void response.destroy(), answerOk])
  expect((await another.send(body)).headers.get('x-dragoman-account')).toBe('two')
  await another.isClear()
})

test('where nobody is left the client is told, and nothing stays', async () => {
  const refuse = answerJson({ error: { message: 'not now' } }, { status: 503 })
  await using service = await startForms([refuse, refuse])
  const response = await service.send(body)
  expect(response.status).toBe(503)
  expect(response.headers.get('x-should-retry')).toBe('false')
  await service.isClear()
})

test('a plugin that sends an attempt twice sends the form twice', async () => {
  const twice = definePlugin({
    name: 'twice',
    async onAttempt({ next }) {
      await next()
      return next()
    },
  })
  await using service = await startForms([answerOk], { plugins: [twice] })
  expect((await service.send(body)).status).toBe(200)
  const [first, second] = service.accounts[0]?.requests ?? []
  expect(second?.body.length).toBeGreaterThan(body.length)
  expect(second?.body.equals(first?.body as Buffer)).toBe(true)
})
