/** A module of a plugin that does all that a plugin should not, to every call, and worse to calls that ask for it. */
export const wild = `
export const options = { '~standard': { validate: (value) => ({ value }) } }

export default function wild({ name }) {
  const leak = (place) => {
    setTimeout(() => { throw new Error(name + ' timer of ' + place) }, 1)
    void Promise.reject(new Error(name + ' promise of ' + place))
  }
  const misbehave = (exchange, place) => {
    leak(place)
    switch (exchange.request.headers['x-' + name]) {
      case place + ' throws': throw new Error(name + ' throws')
      case place + ' rejects': return Promise.reject(new Error(name + ' rejects'))
      case place + ' hangs': return new Promise(() => {})
    }
  }
  const around = (place) => async ({ exchange, next }) => {
    await misbehave(exchange, place)
    return next()
  }
  return {
    name,
    onStart() {
      setInterval(() => leak('the start'), 5)
      throw new Error(name + ' does not start')
    },
    tasks: {
      throws() { throw new Error('no task') },
      hangs: () => new Promise(() => {}),
      async restless() { for (;;) { leak('a task'); await new Promise((end) => setTimeout(end, 5)) } },
    },
    probes: { hangs: () => new Promise(() => {}), throws() { throw new Error('no probe') } },
    onExchange: around('onExchange'),
    onAuthenticate: ({ exchange }) => misbehave(exchange, 'onAuthenticate'),
    onCall: around('onCall'),
    onCandidates: ({ exchange }) => misbehave(exchange, 'onCandidates'),
    onAttempt: around('onAttempt'),
    onOutcome() { leak('onOutcome'); return new Promise(() => {}) },
    onProduced() { leak('onProduced'); throw new Error('no product') },
    onEnd() { leak('onEnd'); return Promise.reject(new Error('no end')) },
    onAccessLog() { throw new Error('no fields') },
    onDispose() { leak('the end'); return new Promise(() => {}) },
  }
}
`

/** A module of a plugin whose hooks, task, probe and signal each forget a timer. It has the name of the place. */
export const forgetful = `
import { defineDialect, defineOperation, endedEarly, NativeObserver } from 'dragoman/dialect'

export const options = { '~standard': { validate: (value) => ({ value }) } }

export default function forgetful({ place }) {
  const forget = () => void setTimeout(() => { throw new Error('forgotten in ' + place) }, 1)
  const around = ({ next }) => (forget(), next())
  const name = 'forgetful in ' + place
  switch (place) {
    case 'http': return { name, http: { onRequest: forget } }
    case 'understand': case 'classify': return { name, dialects: [forgetfulDialect(forget, place)] }
    case 'task': return { name, tasks: { one: forget } }
    case 'probe': return { name, probes: { one: () => (forget(), { ok: true }) } }
    case 'signal': return { name, onStart: ({ signal }) => signal.addEventListener('abort', () => { throw new Error('forgotten in signal') }) }
    case 'map': {
      let count = 0
      return { name, onEvents: () => ({ map(event, emit) { if (count++ === 0) forget(); emit(event) } }) }
    }
    case 'onExchange': case 'onCall': case 'onAttempt': return { name, [place]: around }
    default: return { name, [place]: forget }
  }
}

/** Accounts of the sandbox speak it, since it uses the path of chat there. */
function forgetfulDialect(forget, where) {
  const id = 'forgetful-' + where
  class Observer extends NativeObserver {
    #count = 0
    classify() {
      if (where === 'classify' && this.#count++ === 0) forget()
      return { phase: 'output' }
    }
    end() { return { phase: 'terminal', outcome: { status: 'completed', fault: 'none' } } }
  }
  const say = defineOperation({
    id: id + '.say', method: 'POST', paths: ['/' + id], auth: 'key', capability: id, summary: 'Say',
    understand(_exchange, { json }) {
      if (where === 'understand') forget()
      return { model: json.model, stream: true, refersTo: [], edits: [], losses: [] }
    },
    forward: {
      target: () => ({ path: '/v1/chat/completions' }),
      observer: (exchange) => new Observer(exchange),
      outcome: () => ({ status: 'completed', fault: 'none' }),
    },
  })
  return defineDialect({
    id,
    credential: ({ headers }) => headers.authorization?.slice(7),
    error: ({ status, message }) => ({ status, body: { message } }),
    upstream: { base: 'bare', providers: {}, headers: ({ credential }) => ({ authorization: 'Bearer ' + credential }) },
    operations: [say],
  })
}
`
