import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { operationScene } from './scene.ts'

const lines = { level: 'warn', msg: expect.stringContaining('looking up a job') }

test('an operator is told once a minute of an account that does not tell of its jobs', async () => {
  let time = Date.now()
  await using scene = await operationScene({
    now: () => time,
    operation: answerJson({ error: { message: 'the-secret is bad' } }, { status: 500 }),
  })
  for (let poll = 0; poll < 5; poll++) {
    expect((await scene.poll()).headers.get('x-dragoman-stale')).toBe('true')
  }
  const { log } = scene.gateway
  expect(log).toMatchObject([{ ...lines, account: 'a', status: 500 }])
  time += 60_000
  await scene.poll()
  expect(log).toMatchObject([lines, { ...lines, unseen: 4 }])
  expect(JSON.stringify(log)).not.toContain('the-secret')
})

test('an operator is told of an account whose answer is none', async () => {
  await using scene = await operationScene({ operation: answerJson({ state: 'fine' }) })
  expect((await scene.poll()).headers.get('x-dragoman-stale')).toBe('true')
  expect(scene.gateway.log).toMatchObject([lines])
})

test('an operator is told of an account whose videos cannot be read for clients', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file: (response) => void response.writeHead(500).end(),
  })
  expect((await scene.poll()).status).toBe(200)
  expect(scene.gateway.log).toMatchObject([{ ...lines, status: 500 }])
})

test('an account that does not know yet what it has just taken is no news', async () => {
  await using scene = await operationScene({ operation: answerJson({}, { status: 404 }) })
  expect((await scene.poll()).headers.get('x-dragoman-stale')).toBe('true')
  expect(scene.gateway.log).toEqual([])
})
