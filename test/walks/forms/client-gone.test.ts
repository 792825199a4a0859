import { expect, test } from 'vitest'

import type { Answer } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { beginUpload, startForms, uploadOf } from './service.ts'

const MiB = 1024 * 1024
const large = uploadOf(Buffer.alloc(4 * MiB))
const never: Answer = () => {}

test('a client that leaves while it uploads leaves nothing behind', async () => {
  await using service = await startForms()
  const { gateway } = service.gateway
  const begun = beginUpload(service.gateway, large.length)
  begun.socket.write(large.subarray(0, 2 * MiB))
  await until(() => gateway.spooled() > 0)
  begun.socket.destroy()
  await service.isClear()
  expect(service.accounts[0]?.requests).toEqual([])
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ status: 499 })
})

test('so does one that leaves while the account is at work', async () => {
  await using service = await startForms([never])
  const { gateway } = service.gateway
  const leaving = new AbortController()
  const sent = service.send(large, { signal: leaving.signal })
  await until(() => service.accounts[0]?.requests.length === 1)
  expect(gateway.spooled()).toBe(large.length)
  leaving.abort()
  await expect(sent).rejects.toThrow()
  await service.isClear()
  await until(() => service.accounts[0]?.requests[0]?.aborted === true)
})
