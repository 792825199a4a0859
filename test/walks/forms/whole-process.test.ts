import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { startOwnProcess } from './own-process.ts'
import { beginUpload, uploadOf } from './service.ts'
import { MiB, onLinux, accountAt } from './whole-process.ts'

test.runIf(onLinux)('a gateway that is killed leaves nothing on disk', async () => {
  const spool = await mkdtemp(join(tmpdir(), 'spool-test-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(spool, { recursive: true }) }
  await using gateway = await startOwnProcess({ accounts: accountAt('http://127.0.0.1:1'), spool })
  const begun = beginUpload(gateway, 8 * MiB)
  begun.socket.write(uploadOf(Buffer.alloc(8 * MiB)).subarray(0, 4 * MiB))
  await until(async () => (await gateway.spooled()) >= 3 * MiB)
  expect(await readdir(spool)).toEqual([])
  gateway.process.kill('SIGKILL')
  await until(() => gateway.process.signalCode === 'SIGKILL')
  expect(await readdir(spool)).toEqual([])
})
