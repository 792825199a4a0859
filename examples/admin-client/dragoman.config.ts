import { defineConfig } from 'dragoman'

const sandbox = { provider: 'sandbox', baseUrl: 'http://127.0.0.1:8790', models: ['sandbox/*'] }

export default defineConfig({
  keys: [{ id: 'team', secret: 'my-secret' }],
  accounts: [
    { id: 'first', ...sandbox, apiKey: 'sandbox-key-a' },
    { id: 'second', ...sandbox, apiKey: 'sandbox-key-b', priority: 1 },
  ],
  admin: { tokens: [{ id: 'ops', role: 'operator', secret: 'env:OPS_TOKEN' }] },
})
