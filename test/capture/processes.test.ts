import { test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { anyPorts } from '../cli/dragoman.ts'
import { openSwitchedPlace } from '../cli/switched.ts'
import { settings, walk } from './capturing-processes.ts'

test('a capture is of all replicas on a Redis, and ends in all of them', async () => {
  await using redis = await startRedis()
  await using opened = await openSwitchedPlace(settings({ store: redis.url }))
  const servers = [opened.place.start(anyPorts), opened.place.start(anyPorts)]
  await walk(servers, opened.place.path)
})
