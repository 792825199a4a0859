import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryDirectory } from '../stores/temporary.ts'
import { put, refusal, startService } from './service.ts'

const unavailable = [503, 'storage_unavailable']

test('a directory that is a file fails as a storage, to who writes or reads', async () => {
  await using place = await temporaryDirectory()
  const file = join(place.path, 'file')
  await writeFile(file, '')
  for (const directory of [file, join(file, 'below')]) {
    await using service = await startService({ uploads: { directory } })
    const { upload_url, visit_url } = await service.issue({ path: 'cat.png' })
    const refused = await put(upload_url, 'a cat')
    expect(await refused.clone().text()).not.toContain(file)
    expect(await refusal(refused)).toEqual(unavailable)
    expect(await refusal(await fetch(visit_url))).toEqual(unavailable)
  }
})

test('a place where none can be made is answered too', async () => {
  await using service = await startService({ uploads: { directory: '/proc/nope' } })
  const { upload_url } = await service.issue({ path: 'cat.png' })
  expect(await refusal(await put(upload_url, 'a cat'))).toEqual(unavailable)
})

test('a gateway without any storage says that it takes no uploads', async () => {
  await using service = await startService({ uploads: { directory: false } })
  const response = await service.ask({ path: 'cat.png' })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { message: 'This gateway does not accept uploads.', param: null } },
  ])
})
