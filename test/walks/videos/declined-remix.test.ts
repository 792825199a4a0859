import { expect, test } from 'vitest'

import { Declined } from '../../../src/contract/attempt.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { refusal } from '../../uploads/service.ts'
import { post, videoStage } from './stage.ts'

test('a remix that a plugin declines was never begun, though its source was asked about', async () => {
  const thrifty = definePlugin({
    name: 'thrifty',
    onAttempt({ outbound, next }) {
      if (outbound.path.endsWith('/remix')) throw new Declined('budget', 'it is spent')
      return next()
    },
  })
  await using stage = await videoStage({ plugins: [thrifty] })
  const created = await stage.ask('/v1/videos', post({ model: 'sandbox/polls=0', prompt: 'a' }))
  const { id } = (await created.json()) as { id: string }
  const remix = await stage.ask(`/v1/videos/${id}/remix`, post({ prompt: 'b' }))
  expect(await refusal(remix)).toEqual([503, 'owner_unavailable'])
  const asked = stage.sandbox.requests.map(({ method }) => method)
  expect(asked).toEqual(['POST', 'GET'])
  const [, line] = await stage.gateway.logged(2)
  expect(line).toMatchObject({ route: 'videos.remix', account: 'a', attempts: 0 })
  expect(line).not.toHaveProperty('upstream_ms')
})
