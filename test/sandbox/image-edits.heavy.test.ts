import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { postForm } from './forms.ts'
import { heavyPng } from './pictures.ts'

const path = '/v1/images/edits'

test('a large file needs no memory, and 50 MB are too many', async () => {
  await using sandbox = await startSandbox()
  const edit = async (megabytes: number, fewer: number) =>
    postForm(sandbox, path, [
      ['image', await heavyPng(megabytes * 1024 * 1024 - fewer)],
      ['prompt', 'x'],
      ['model', 'gpt-image-1'],
    ])
  expect((await edit(50, 1)).status).toBe(200)
  expect(sandbox.requests[0]?.body).toHaveLength(1024 * 1024)
  expect(sandbox.requests[0]?.bodySize).toBeGreaterThan(50 * 1024 * 1024 - 1)
  expect((await edit(50, 0)).status).toBe(400)
})
