import { test } from 'vitest'

import { anyPorts } from '../cli/dragoman.ts'
import { openSwitchedPlace } from '../cli/switched.ts'
import { settings, walk } from './capturing-processes.ts'

test('a capture is of all workers, each of which has a file of its own', async () => {
  await using opened = await openSwitchedPlace(settings({}))
  const server = opened.place.start(`${anyPorts} --workers 2`)
  await walk([server], opened.place.path)
})
