import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { ask } from '../streams/asking.ts'
import { forms } from '../streams/forms.ts'
import { openStream } from '../streams/scripted.ts'
import { serving, startPool } from './pool.ts'

test.each(forms)(
  'a gateway that shuts down asks no other account for a $name client',
  async (form) => {
    await using pool = await startPool(form, {
      a: (response) => openStream(response, form.announcements),
      b: serving(form),
    })

    const asked = ask(pool.gateway, form)
    await until(() => pool.accounts.a.requests.length === 1)
    pool.gateway.gateway.interrupt()
    const response = await asked

    expect(response.status).toBe(503)
    expect(response.headers.get('x-should-retry')).not.toBe('false')
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
    expect(pool.accounts.b.requests).toHaveLength(0)
    expect((await pool.gateway.logged(1))[0]).toMatchObject({ error_type: 'draining' })
  },
)
