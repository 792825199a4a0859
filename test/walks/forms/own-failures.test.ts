import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, test, vi } from 'vitest'

import type { Outcome } from '../../../src/contract/outcome.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { SpoolFile } from '../../../src/body/spool/spool-file.ts'
import { answerOk, startForms, uploadOf } from './service.ts'

const large = uploadOf(Buffer.alloc(3 * 1024 * 1024))

afterEach(() => void vi.restoreAllMocks())

function refusalIn(text: string) {
  const { error } = JSON.parse(text) as { error: { code: number; details: { code: string }[] } }
  return [error.code, error.details[0]?.code]
}

test('a spool that cannot be read any more is no fault of the account that waits for the form', async () => {
  const outcomes: Outcome[] = []
  const onOutcome = ({ outcome }: { outcome: Outcome }) => void outcomes.push(outcome)
  await using service = await startForms([answerOk, answerOk], {
    plugins: [definePlugin({ name: 'outcomes', onOutcome })],
  })
  vi.spyOn(SpoolFile.prototype, 'read').mockRejectedValue(new Error('EIO: secret place'))
  const response = await service.send(large)
  const text = await response.text()
  expect([response.status, ...refusalIn(text)]).toEqual([503, 503, 'spool_unavailable'])
  expect(text).not.toContain('secret')
  expect(response.headers.get('x-should-retry')).toBe('true')
  expect(outcomes).toMatchObject([{ status: 'failed', fault: 'gateway' }])
  expect(service.accounts[1]?.requests).toEqual([])
  await service.isClear()
  expect(JSON.stringify(service.gateway.log)).toContain('EIO')
})

test('a spool that cannot be written is told before any account is asked, and in the log', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'spool-'))
  await writeFile(join(directory, 'file'), '')
  await using service = await startForms([answerOk], { spool: join(directory, 'file') })
  const response = await service.send(large)
  expect([response.status, ...refusalIn(await response.text())]).toEqual([
    503,
    503,
    'spool_unavailable',
  ])
  expect(service.accounts[0]?.requests).toEqual([])
  await service.isClear()
  expect(JSON.stringify(service.gateway.log)).toContain('EEXIST')
  expect((await service.send(uploadOf(Buffer.alloc(1_000)))).status).toBe(200)
  await rm(directory, { recursive: true })
})
