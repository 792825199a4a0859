import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ollama } from 'ollama'
import { expect, test } from 'vitest'

import { repository } from '../docs/pages.ts'
import { withoutAdmin } from '../docs/checkout.ts'
import { openExample } from './example.ts'

test('the dialect of Ollama serves its clients, as its README says', async () => {
  await using example = await openExample('dialect-ollama', withoutAdmin)
  await example.follow('npm install')
  const ownTests = example.start(example.command('npm test'))
  const [gateway] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run sandbox', /listens on/),
  ])

  expect(await example.follow('"Hello"')).toMatch(/"done":true,"done_reason":"stop"/)
  expect(await example.follow('api/tags')).toContain('"name":"sandbox/echo"')

  const headers = { authorization: 'Bearer my-secret' }
  const client = new Ollama({ host: example.url(8787), headers })
  const messages = [{ role: 'user', content: 'Hello' }]
  const { message } = await client.chat({ model: 'sandbox/echo', messages })
  expect(message.content).toBe('You said: Hello')

  gateway.signal('SIGTERM')
  await gateway.ended
  expect(await ownTests.ended, ownTests.output.text).toBe(0)
  expect(example.unused()).toEqual([])
})

test('the sources of the dialect have 350 lines at most', () => {
  const folder = join(repository, 'examples/dialect-ollama')
  const files = globSync('*.ts', { cwd: folder }).filter((file) => !/config|test/.test(file))
  const lines = files.map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1)
  expect(files.length).toBeGreaterThan(3)
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(350)
})
