import { describe, expect, test } from 'vitest'

import { ask, chaining, connect, refusal, ways } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { startStage } from './stage.ts'

const nothing = ['', ' ', '\t\n', 7, true, {}, ['resp_1']]

const invalid = chaining(400, 'invalid_value', '`previous_response_id` must be a non-empty string.')

describe.for(allGrounds())('on $name, a client', ({ sdk, open }) => {
  test.for(ways)('is told that an id is no id ($way)', async ({ stream }) => {
    await using stage = await startStage(open)
    // Nothing has to be looked up to know that.
    stage.broken.reads = true
    const client = connect(stage, sdk)
    for (const id of nothing) {
      const asked = ask(client, { previous_response_id: id as string }, { stream })
      expect({ id, ...(await refusal(sdk, asked)) }).toEqual({ id, ...invalid })
    }
    expect(stage.sandbox.requests).toEqual([])
  })
})
