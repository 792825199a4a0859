import { openingQueries } from './graphiql-queries.ts'
import { clearScript } from './pages.ts'

/**
 * Starts GraphiQL. Mutations have credentials in them, so the typed text stays in the memory of the page. GraphiQL would
 * write it to the storage of the browser and, in `onEditQuery`, to the address and so to the history. Of a subscription it
 * would show the last event alone: `events` passes all of them on, the latest 100.
 */
export const startScript = `${clearScript}
const items = new Map()
const storage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
  clear: () => items.clear(),
  get length() {
    return items.size
  },
}

const { proof } = document.querySelector('#root').dataset

function send(request, accept, signal) {
  return fetch('/graphql', {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', 'x-dragoman-console': '1', ...(proof && { 'x-dragoman-graphiql': proof }) },
    body: JSON.stringify(request),
    signal,
  })
}

async function* events(request) {
  const left = new AbortController()
  try {
    const response = await send(request, 'text/event-stream', left.signal)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      yield await response.json()
      return
    }
    const shown = []
    let count = 0
    let rest = ''
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + text).split('\\n\\n')
      rest = frames.pop()
      for (const frame of frames) {
        const line = frame.split('\\n').find((one) => one.startsWith('data:'))
        const data = line?.slice(5).trim()
        if (!data) continue
        count++
        if (shown.push(JSON.parse(data)) > 100) shown.shift()
      }
      yield { count, events: [...shown] }
    }
  } finally {
    left.abort()
  }
}

function isSubscription({ operationName }, { documentAST } = {}) {
  const operations = documentAST?.definitions.filter(({ kind }) => kind === 'OperationDefinition') ?? []
  const one = operations.find(({ name }) => name?.value === operationName) ?? operations[0]
  return one?.operation === 'subscription'
}

const asked = new URL(location.href).searchParams.get('query')
const queries = ${JSON.stringify(openingQueries)}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), {
  title: 'Dragoman GraphiQL',
  defaultTabs: [...(asked === null ? [] : [asked]), ...queries].map((query) => ({ query })),
  fetcher: (request, options) =>
    isSubscription(request, options) ? events(request) : send(request, 'application/json').then((answer) => answer.json()),
  storage,
  onEditQuery() {},
})
`
