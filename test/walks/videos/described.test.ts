import { expect, test } from 'vitest'

import { createTestGateway } from '../../../src/testing/gateway.ts'

interface Operation {
  readonly requestBody: {
    readonly content: Record<
      string,
      { schema: { required: string[]; properties: Record<string, object> } }
    >
  }
}

test('whoever writes a client after the description names a model for a video', async () => {
  await using gateway = await createTestGateway()
  const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  const content = paths['/v1/videos']?.['post']?.requestBody.content ?? {}
  for (const type of ['application/json', 'multipart/form-data']) {
    expect(content[type]?.schema).toMatchObject({
      required: ['model', 'prompt'],
      properties: { model: { description: expect.stringContaining('`sora-2`') as string } },
    })
  }
})
