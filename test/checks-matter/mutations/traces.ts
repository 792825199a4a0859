import { checksOf, removed } from '../mutation.ts'

const propagation = ['test/telemetry/traces/propagation.test.ts']
const links = ['test/telemetry/traces/links.test.ts']
const network = ['test/telemetry/traces/network.test.ts']
const tree = ['test/telemetry/traces/tree.test.ts']
const ends = ['test/telemetry/traces/ends.test.ts']
const text = ['test/telemetry/traces/text-dialects.test.ts']
const content = ['test/telemetry/traces/content.test.ts']
const stages = ['test/telemetry/traces/stages.test.ts']
const away = ['test/telemetry/traces/collector-away.test.ts']
const drips = [...away, 'test/telemetry/metrics/otlp.test.ts', 'test/logs/otlp.test.ts']
const parameters = ['test/telemetry/traces/parameters.test.ts']
const modalities = ['test/telemetry/traces/modalities.test.ts']
const batches = ['test/telemetry/traces/batches.test.ts']
const environment = ['test/telemetry/traces/environment.test.ts']
const firstOutput = ['test/telemetry/first-output.test.ts']
const encoding = ['test/telemetry/traces/encoding.test.ts']

const folder = 'src/telemetry/traces'

/** What traces say, to whom, and what they keep to themselves. */
export const traceChecks = [
  ...checksOf('walks', 'src/telemetry/traces/route-attributes.ts', text, {
    'traces: the route is that of the first account': ['former[0] ?? attempt', 'attempt'],
  }),
  ...checksOf('walks', `${folder}/incoming.ts`, propagation, {
    'traces: a stranger’s trace is linked only': [
      "(policy ?? (isProxied ? 'trust' : 'link')) === 'trust'",
      'true',
    ],
    'traces: a trace can be ignored': ["policy === 'ignore' || !propagator", '!propagator'],
  }),
  ...checksOf('walks', `${folder}/outgoing.ts`, propagation, {
    'traces: an account gets a trace by its policy only': [
      "propagate === 'traceparent' && propagator !== undefined",
      'propagator !== undefined',
    ],
  }),
  ...checksOf('walks', `${folder}/plugin.ts`, text, {
    'traces: a gateway that ends sends those that wait': [
      'onDispose() {\n        endings.flush()',
      'onDispose() {',
    ],
  }),
  ...checksOf('walks', `${folder}/plugin.ts`, tree, {
    'traces: probes leave none': ['if (untraced.has(request.path)) return undefined', ''],
  }),
  ...checksOf('walks', 'src/exchange/refused-names.ts', propagation, {
    'traces: no configuration passes a client’s trace on': [' || traceContext.test(name)', ''],
  }),
  ...checksOf('walks', 'src/lib/traceparent.ts', links, {
    'traces: a record links by a whole traceparent only': [
      "if (typeof value !== 'string' || value.length !== exactLength) return undefined\n  const [, traceId, spanId, flags] = form.exec(value) ?? []",
      'const [, traceId, spanId, flags] = /([\\da-f]{32})-([\\da-f]{16})-(..)/i.exec(String(value)) ?? []',
    ],
  }),
  ...checksOf('walks', 'plugins/bindings/record-produced.ts', links, {
    'traces: the record of a response has its trace': [
      '...(trace && { trace: trace.traceparent }),',
      '',
    ],
  }),
  ...checksOf('walks', 'src/jobs/owner.ts', links, {
    'traces: a poll links to the creation of its job': [
      "exchange.progress.trace?.linkTo(job.trace, 'job')",
      '',
    ],
  }),
  ...checksOf('walks', 'src/exchange/check-reply.ts', tree, {
    'traces: a plugin’s reply has the id of its trace': [
      "...(trace && { 'x-trace-id': trace.traceId })",
      '',
    ],
  }),
  ...checksOf('walks', 'src/kit/clean-text.ts', tree, {
    'traces: names of clients are cut': [
      'clean.length > longest ? `${clean.slice(0, longest)}...` : clean',
      'clean',
    ],
  }),
  ...checksOf('walks', `${folder}/operation-span.ts`, modalities, {
    ...removed({
      'traces: tokens of audio are apart':
        "'gen_ai.usage.audio.input_tokens': used?.audioInputTokens,",
      'traces: tokens of images are apart':
        "'gen_ai.usage.image.output_tokens': used?.imageOutputTokens,",
    }),
  }),
  ...checksOf('walks', `${folder}/parameters.ts`, parameters, {
    'traces: a level of reasoning is a known word': [
      'levels.get(place)',
      "typeof place === 'string' ? place : undefined",
    ],
    'traces: large members of large bodies are not parsed again': [
      'range && (!release || range.end - range.start <= longestMember)',
      'range !== undefined',
    ],
    'traces: all members of small bodies are read': ['!release || ', ''],
  }),
  ...checksOf('walks', `${folder}/exchange-trace.ts`, ends, {
    'traces: an attempt that goes on ends with its exchange': [
      'for (const attempt of this.#attempts) attempt.settle(undefined)',
      '',
    ],
  }),
  ...checksOf('walks', `${folder}/attempt-span.ts`, ends, {
    'traces: an attempt has no secret of its own account': [
      'progress: { attempt } }',
      'progress: this.exchange.progress }',
    ],
  }),
  ...checksOf('walks', `${folder}/exchange-trace.ts`, text, {
    'traces: the end of an attempt is that of its own outcome': [
      '?.settle(outcome)',
      '?.settle(undefined)',
    ],
  }),
  ...checksOf('walks', `${folder}/exchange-trace.ts`, stages, {
    'traces: the record of a result has an id without secrets': ['spanText(id, exchange)', 'id'],
    'traces: a binding that waits is an error': [
      'if (!isWritten) span.setStatus({ code: SpanStatusCode.ERROR })',
      '',
    ],
  }),
  ...checksOf('walks', 'src/upstream/attempt-handler.ts', stages, {
    'traces: an attempt has the peer of its connection': ['connection?.peer', 'undefined'],
  }),
  ...checksOf('walks', `${folder}/content/capture.ts`, content, {
    'traces: content has no secrets': ['(text) => hideSecrets(text, exchange)', '(text) => text'],
    'traces: a reply is kept up to its limit': [
      'this.#bytes * mostFraming - this.#reply.size',
      '1e9 - this.#reply.size',
    ],
  }),
  ...checksOf('walks', `${folder}/content/messages.ts`, content, {
    'traces: content has a limit': ['left -= Math.min(size, left) + partBytes', ''],
  }),
  ...checksOf('walks', 'src/telemetry/export-in-time.ts', drips, {
    'traces: an export whose answer never ends is late': [
      'end({ code: failed, error: Object.assign(',
      'void ({ code: failed, error: Object.assign(',
    ],
    'traces: late exports do not pile up': ['collector.drop()\n    }', '}'],
    'traces: a failed export names its collector': [
      'error: failureOf(collector, error) }',
      '...(error && { error }) }',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/exporter-breaker.ts`, away, {
    'traces: a collector that is away is not asked for ever': [
      'if (now() < openUntil) {',
      'if (now() < 0) {',
    ],
    'traces: one batch asks whether the collector is back': [
      'if (openUntil > 0) openUntil = now() + pauseMs',
      '',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/open-tracing.ts`, away, {
    'traces: a shutdown does not wait for the collector': [
      'within(last.left(), provider',
      'within(60_000, provider',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/open-tracing.ts`, ['test/telemetry/grpc-address.test.ts'], {
    'traces: the log has spans that are lost before the end': [
      'provider.forceFlush().catch(lost)',
      'provider.forceFlush().catch(() => {})',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/exporters.ts`, ['test/telemetry/grpc-address.test.ts'], {
    'traces: failures name the host of a gRPC address': [
      "protocol() === 'grpc' ? grpcTarget(own) : own",
      'own',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/open-tracing.ts`, ['test/telemetry/config-file.test.ts'], {
    'traces: the time of a provider that cannot flush begins at its end': [
      'if (!provider.forceFlush) return',
      'if (!provider.forceFlush) return last.begin()',
    ],
    'traces: the provider that a file registers flushes': [
      'if (!registered.forceFlush) return provider',
      'if (registered) return provider',
    ],
  }),
  ...checksOf('walks', `${folder}/server-span.ts`, propagation, {
    'traces: a trusted proxy names scheme and host': [
      "publicUrl === undefined ? headers.host : publicUrl.split('/', 3)[2]",
      'headers.host ?? publicUrl',
    ],
  }),
  ...checksOf('walks', `${folder}/server-span.ts`, network, {
    'traces: the peer is the other end of the connection': [
      "'network.peer.address': peer?.address",
      "'network.peer.address': request.remoteAddress",
    ],
  }),
  ...checksOf('walks', 'src/exchange/receive.ts', network, {
    'traces: a peer of IPv4 has its address': ['plain(remoteAddress)', 'remoteAddress'],
  }),
  ...checksOf('walks', 'src/cli/drain.ts', ['test/telemetry/shutdown.test.ts'], {
    'telemetry: calls over kept connections have the time of collectors anew': [
      'if (requests !== known) onIdle()',
      'if (known === undefined) onIdle()',
    ],
  }),
  ...checksOf('walks', 'src/cli/server.ts', ['test/telemetry/shutdown.test.ts'], {
    'telemetry: traces, metrics and logs end at the same time': [
      'for (const sender of [running.traces, counting?.sender, logSender]) sender?.sendLast()',
      '',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/environment.ts`, tree, {
    'traces: no command line is in the resource': [
      "!name.startsWith('process.command')",
      'name !== undefined',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/environment.ts`, batches, {
    'traces: a burst goes out in small batches': [
      "positive('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 128",
      "positive('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512",
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/exporters.ts`, batches, {
    'traces: a full queue goes out beside the batch on its way': [
      'maxExportBatchSize) + 1',
      'maxExportBatchSize)',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/attribute-encoder.ts`, encoding, {
    'traces: an attribute that moved for its length is not remembered': [
      'if (isShort && value.length',
      'if (value.length',
    ],
    'traces: remembered attributes hold no pool of memory': [
      'writer.keepFrom(from)',
      'writer.copyFrom(from)',
    ],
    'traces: negative whole numbers are no fractions': ['value >= -wholeNumbers', 'value >= 0'],
  }),
  ...checksOf('walks', `${folder}/sdk/span-encoder.ts`, encoding, {
    'traces: events say how many attributes they lack': [
      'writer.number(4, droppedAttributesCount)',
      '{}',
    ],
    'traces: links say how many attributes they lack': [
      'writer.number(5, droppedAttributesCount)',
      '{}',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/tracer.ts`, encoding, {
    'traces: the whole of the ratio 1 is sampled': [
      'ratio === 1 ? 2 ** 32 : Math.floor(ratio * (2 ** 32 - 1))',
      'Math.floor(ratio * 2 ** 31)',
    ],
  }),
  ...checksOf('walks', `${folder}/sdk/ids.ts`, encoding, {
    'traces: all words of an id decide': [' ^ wordAt(from + 12)\n', '\n'],
  }),
  ...checksOf('walks', `${folder}/settings.ts`, environment, {
    'traces: the environment turns them off': [
      'configured === false || isDisabled(env)',
      'configured === false',
    ],
    'traces: the configuration turns them off': [
      'configured === false || isDisabled(env)',
      'isDisabled(env)',
    ],
  }),
  ...checksOf('walks', 'src/upstream/client-stream.ts', firstOutput, {
    'telemetry: a commitment is no first output': [
      'for (const frames of this.#held)',
      'this.#exchange.progress.firstOutputAt ??= performance.now()\n    for (const frames of this.#held)',
    ],
    'telemetry: the first output of a stream is known': [
      'this.#exchange.progress.firstOutputAt ??= performance.now()\n    this.write(frames)',
      'this.write(frames)',
    ],
  }),
]
