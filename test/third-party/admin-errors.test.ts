import { expect, test } from 'vitest'

import type { AdminBuilder } from '../../src/admin/index.ts'
import { GatewayError, definePlugin } from '../../src/index.ts'
import { createTestGateway } from '../../src/testing/index.ts'

test('a resolver of a plugin that cannot read its counts says that the store is away', async () => {
  const plugin = definePlugin({
    name: 'budget',
    admin(builder: AdminBuilder) {
      builder.queryField('budget', (t) =>
        t.int({
          authScopes: { viewer: true },
          resolve: () => {
            throw new GatewayError('service_unavailable', 'The budget cannot be read.')
          },
        }),
      )
    },
  })
  await using gateway = await createTestGateway({ plugins: [plugin], admin: true })
  expect(await gateway.admin?.ask('{ budget }')).toMatchObject({
    errors: [{ message: 'The budget cannot be read.', extensions: { code: 'STORE_UNAVAILABLE' } }],
  })
})
