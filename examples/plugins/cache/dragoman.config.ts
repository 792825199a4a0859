import { defineConfig } from 'dragoman'

import { answerCache } from './answer-cache.ts'

export default defineConfig({
  keys: [{ id: 'me', secret: 'my-secret' }],
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
  plugins: [answerCache({ maxBytes: 64 * 1024 * 1024, maxAgeMs: 10 * 60_000 })],
})
