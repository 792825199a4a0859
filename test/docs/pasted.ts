import { openPage } from './pages.ts'

export const page = openPage('docs/quickstart.md')

export const [install = '', ...curlExamples] = page.blocks('sh')

// The installation is CI's part: it takes the network and a minute.
export const start = install.replace('npm ci && ', '')

/** The pages whose JavaScript runs as it is pasted, and the output of each block; the pages of media work with `@google/genai` 2. */
export const pasted = [
  { path: 'README.md', google: 'genai-3', outputs: [/^(You said: Hello\n){2}$/, said(), said()] },
  { path: 'docs/quickstart.md', google: 'genai-3', outputs: [said(), said(), said(), said()] },
  {
    path: 'docs/videos.md',
    google: 'genai-2',
    // The second is plain HTTP, which reads `pending` where SDKs of OpenAI read `queued`.
    outputs: [/^completed video\/mp4 true/, /^completed$/m, /\/operations\//],
  },
  { path: 'docs/images.md', google: 'genai-2', outputs: [/^1536x1024 png \d+$/m] },
  { path: 'docs/embeddings.md', google: 'genai-3', outputs: [/^2 8 4$/m] },
  { path: 'docs/websockets.md', google: 'genai-2', outputs: [said()] },
  { path: 'docs/files.md', google: 'genai-2', outputs: [/^completed .*You said: Hello/] },
  { path: 'docs/uploads.md', google: 'genai-2', outputs: [/^201 local:/] },
]

export function said(): RegExp {
  return /^You said: Hello\n?$/
}
