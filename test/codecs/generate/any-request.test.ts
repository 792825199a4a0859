import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { requests } from './neutral-requests.ts'
import { post } from './sandbox.ts'

test('a strict account takes whatever is asked of it in other words', async () => {
  await using sandbox = await startSandbox()
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const answer = await post(sandbox, request)
      expect(await answer.json()).toHaveProperty('candidates')
      expect(answer.status).toBe(200)
    }),
    { numRuns: 300 },
  )
})

test.each(['gemini-3-pro', 'gemini-2.5-pro', 'gemini-2.5-flash-lite', 'models/gemini-1.5-flash'])(
  'so does one that serves %s',
  async (model) => {
    await using sandbox = await startSandbox()
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        expect((await post(sandbox, request, model)).status).toBe(200)
      }),
      { numRuns: 40 },
    )
  },
)
