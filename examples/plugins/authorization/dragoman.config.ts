import { createLog, defineConfig } from 'dragoman'

import { authorization } from './authorization.ts'

export default defineConfig({
  // The offline sandbox. Replace it with your accounts:
  // { id: 'openai', provider: 'openai', apiKey: 'env:OPENAI_API_KEY', models: ['gpt-*'] }
  accounts: [
    {
      id: 'sandbox',
      provider: 'sandbox',
      baseUrl: 'http://127.0.0.1:8790',
      apiKey: 'sandbox-key-a',
      models: ['sandbox/*'],
    },
  ],
  plugins: [
    authorization({
      // Elsewhere than on the same machine use https: the requests contain the callers' tokens.
      url: 'http://127.0.0.1:8791/introspect',
      // How the gateway identifies itself to the service.
      authorization: `Bearer ${process.env['INTROSPECTION_TOKEN'] ?? 'token-of-the-gateway'}`,
      log: createLog(process.stderr),
    }),
  ],
})
