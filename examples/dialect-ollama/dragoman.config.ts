import { defineConfig } from 'dragoman'

import { ollama } from './dialect.ts'

export default defineConfig({
  keys: [{ id: 'me', secret: 'my-secret' }],
  accounts: [
    // Ollama on this machine, at its usual port: for clients of every dialect.
    { id: 'local', provider: 'ollama', models: ['llama*', 'qwen*'] },
    // The offline sandbox, which clients of Ollama reach as well. Replace it with your accounts.
    {
      id: 'sandbox',
      provider: 'sandbox',
      baseUrl: 'http://127.0.0.1:8790',
      apiKey: 'sandbox-key-a',
      models: ['sandbox/echo', 'sandbox/*'],
    },
  ],
  plugins: [ollama()],
})
