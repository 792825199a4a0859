import { expect, test } from 'vitest'

import { parseName } from '../../../plugins/dialects/video-operations/names.ts'
import { operationStage, order } from './stage.ts'

test('a file whose account does not answer is told as it was last known', async () => {
  await using stage = await operationStage()
  const id = parseName(await order(stage, 'sandbox/polls=0'))?.id
  const tell = async (headers: Record<string, string>) => {
    const told = await stage.ask(`/v1beta/files/${id}0`, { headers })
    const { state } = (await told.json()) as { state: string }
    return [told.status, state, told.headers.get('x-dragoman-stale')]
  }
  expect(await tell({ 'x-sandbox': 'status=503' })).toEqual([200, 'PROCESSING', 'true'])
  expect(await tell({})).toEqual([200, 'ACTIVE', null])
})
