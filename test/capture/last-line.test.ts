import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { startCaptureStage } from './stage.ts'

test('the last line of a file says that all exchanges that were asked for are in it', async () => {
  await using stage = await startCaptureStage()
  const id = await stage.start({ keyId: 'team-a', exchanges: 2 })
  for (const content of ['one', 'two', 'three']) await stage.chat('a', content)
  await until(async () => (await stage.ends()).length === 1)
  expect(await stage.ends()).toMatchObject([
    { capture: id, key_id: 'team-a', ended: 'exchanges', exchanges: 2, dropped: 0 },
  ])
  expect((await stage.text()).trimEnd().split('\n').at(-1)).toContain('"ended"')
  expect(stage.gateway.log).toContainEqual(
    expect.objectContaining({ msg: 'a capture has ended', capture: id, reason: 'exchanges' }),
  )
})

test('of a directory that is full it says so, although no other line fits', async () => {
  await using stage = await startCaptureStage({ maxBytes: 1_048_576 })
  const other = join(stage.directory, 'cap_other.0.ndjson')
  await mkdir(stage.directory)
  await writeFile(other, `${' '.repeat(1_048_000)}\n`.replace(' ', '{}'))
  await stage.start({ keyId: 'team-a' })
  await stage.chat('a', 'x'.repeat(1_000))
  await until(async () => (await stage.text()).includes('"ended"'))
  expect(await stage.text()).toContain('"ended":"full","exchanges":0,"dropped":1')
  expect(await stage.text()).not.toContain('xxx')
})

test('a gateway that shuts down ends the file', async () => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  await stage.chat('a', 'one')
  await until(async () => (await stage.exchanges()).length === 1)
  await stage.stopGateway()
  expect(await stage.ends()).toMatchObject([{ ended: 'shutdown', exchanges: 1 }])
})

test('a process without an exchange writes no file', async () => {
  await using stage = await startCaptureStage()
  const id = await stage.start({ keyId: 'team-a' })
  await stage.gateway.graph(`mutation { stopCapture(input: { id: "${id}" }) { __typename } }`)
  await until(() => stage.gateway.log.some(({ msg }) => msg === 'a capture has ended'))
  expect(await stage.text()).toBe('')
})
