import { describe, expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask } from '../walks/streams/asking.ts'
import { forms } from '../walks/streams/forms.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { accountFor } from '../walks/streams/scripted.ts'

describe.each(forms)('an account of a $name client that redirects', (form) => {
  test.each([301, 302, 303, 307, 308])(
    'is not followed, so that its credential goes nowhere else (%i)',
    async (status) => {
      await using elsewhere = await startFakeAccount(serving(form))
      const location = `${elsewhere.url}${form.path('m', true)}`
      await using account = await startFakeAccount(refusing(status, { location }))
      await using gateway = await createTestGateway({
        accounts: [accountFor(form, 'only', account.url)],
      })

      const streamed = await ask(gateway, form)
      const json = await ask(gateway, form, { stream: false })

      for (const response of [streamed, json]) {
        expect(response.status).toBe(502)
        expect(response.headers.has('location')).toBe(false)
        expect(await response.text()).not.toContain(elsewhere.url)
      }
      expect(elsewhere.requests).toHaveLength(0)
    },
  )
})
