import { checksOf } from '../mutation.ts'

const doctor = ['test/cli/doctor/doctor.test.ts']
const places = ['test/cli/doctor/places.test.ts']
const limits = ['test/cli/doctor/limits.test.ts']
const proxies = ['test/cli/doctor/proxies.test.ts']
const health = ['test/cli/healthcheck.test.ts']
const init = ['test/cli/init.test.ts']
const pluginInit = ['test/cli/plugin-init.test.ts']
const config = ['test/cli/config.test.ts']

/** What `doctor`, `healthcheck`, `init`, `plugin init` and `config print` find, hide and leave alone. */
export const doctorChecks = [
  ...checksOf('auth', 'plugins/proxy-test.ts', proxies, {
    'proxy test: only secrets are looked up': ['!secretPattern.test(secret)', 'false'],
    'proxy test: strangers cost a few reads a second': [
      'return ++lookups <= mostLookups',
      'return true',
    ],
    'proxy test: no stream without a secret': ['!(await isPermitted(', '!!(await isPermitted('],
    'proxy test: a store that fails is not "not found"': [
      'if (!(cause instanceof StoreUnavailable)) throw cause',
      'if (cause instanceof StoreUnavailable) return false',
    ],
  }),
  ...checksOf('auth', 'src/stores/proxy-tests.ts', proxies, {
    'proxy test: a secret permits one stream': ['(await records.delete(secret))', 'true'],
  }),
  ...checksOf('terminal', 'src/cli/doctor/written-files.ts', places, {
    'doctor: a log without a directory is found': [
      'isDirectory ? await directoryFault(directory)',
      'true ? await directoryFault(directory)',
    ],
  }),
  ...checksOf('terminal', 'src/cli/doctor/machine.ts', limits, {
    'doctor: a pod without its grace period is found': [
      "env['KUBERNETES_SERVICE_HOST'] && !env[variable]",
      'false',
    ],
  }),
  ...checksOf('terminal', 'src/cli/doctor/proxy.ts', proxies, {
    'doctor: a stream that is held back is found': [
      '(last.sentMs - first.sentMs) / 2)',
      '(last.sentMs - first.sentMs) * -1)',
    ],
    'doctor: compressed streams are found': [
      "if ((headers['content-encoding'] ?? 'identity') !== 'identity')",
      'if (false)',
    ],
    'doctor: a gateway that is to come is no failure': [
      'const problem = isServing ? fail : warn',
      'const problem = fail',
    ],
  }),
  ...checksOf('terminal', 'src/cli/doctor/ports.ts', doctor, {
    'doctor: a port of another program is found': ['if (await isGateway(endpoint))', 'if (true)'],
  }),
  ...checksOf('terminal', 'src/cli/doctor/accounts.ts', doctor, {
    'doctor: a disabled account is not asked': ['if (!account.enabled)', 'if (false)'],
    'doctor: a refused credential is a failure': ["if (outcome === 'refused')", 'if (false)'],
    'doctor: an answer is no failure to reach': ['if (hasAnswered)', 'if (false)'],
  }),
  ...checksOf('terminal', 'src/cli/doctor/store.ts', doctor, {
    'doctor: a replica of Redis is found': ['if (isReplica)', 'if (false)'],
    'doctor: a Redis that drops records is found': ['if (eviction !== undefined)', 'if (false)'],
  }),
  ...checksOf('terminal', 'src/cli/doctor/telemetry.ts', doctor, {
    'doctor: telemetry that is off is not sent': [
      "if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true')",
      'if (false)',
    ],
    'doctor: a collector that refuses is found': [
      'if (status === 401 || status === 403)',
      'if (false)',
    ],
  }),
  ...checksOf('terminal', 'src/cli/doctor/telemetry.ts', doctor, {
    'doctor: metrics by gRPC are found': ["protocol === 'grpc' && signal !== 'traces'", 'false'],
    'doctor: an address of gRPC needs no scheme': [
      "protocol === 'grpc' ? grpcUrl(endpoint) : endpoint",
      'endpoint',
    ],
    'doctor: traces by gRPC are no HTTP': [
      "if (protocol === 'grpc') return await",
      'if (false) return await',
    ],
  }),
  ...checksOf(
    'terminal',
    'src/cli/open-telemetry-warnings.ts',
    ['test/cli/open-telemetry-warnings.test.ts'],
    {
      'check: an unknown exporter is told': [
        "name !== '' && !known.some((one) => one === name)",
        'false',
      ],
      'check: a protocol that is not spoken is told': [
        'if (httpProtocols.includes(protocol)) return []',
        'return []',
      ],
      'check: an unknown protocol of traces is told': [
        'traces ? unknownForTraces(env)',
        'false ? []',
      ],
      'check: a telemetry that is off has no warnings': [
        "if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return []",
        '',
      ],
      'check: another temporality is told': [
        "if (preference === 'cumulative') return []",
        'return []',
      ],
    },
  ),
  ...checksOf('terminal', 'src/cli/doctor/clock.ts', limits, {
    'doctor: the clock of the store decides': [
      "readings.find(({ of }) => of === 'the store') ?? nearest",
      'nearest',
    ],
    'doctor: the error of a reading is no difference': [
      'Math.abs(time - at) - errorMs',
      'Math.abs(time - at)',
    ],
  }),
  ...checksOf('terminal', 'src/cli/doctor/finding.ts', limits, {
    'doctor: a check has a deadline': [
      'await within(longestMs, work(), () => late)',
      'await work()',
    ],
  }),
  ...checksOf('terminal', 'src/cli/healthcheck/ask.ts', health, {
    'healthcheck: only 200 is healthy': [
      'end(statusCode === 200, statusCode',
      'end(true, statusCode',
    ],
    'healthcheck: a dripping head has a deadline': [
      "setTimeout(() => end(false, 'does not answer within 2 s.'), longestMs)",
      'setTimeout(() => {}, longestMs)',
    ],
  }),
  ...checksOf('auth', 'src/cli/healthcheck/address.ts', health, {
    'healthcheck: the login of an address is not shown': [
      "url.username = url.password = url.search = url.hash = ''",
      '',
    ],
  }),
  ...checksOf('terminal', 'src/cli/init/index.ts', init, {
    'init: nothing is overwritten': ["{ flag: 'wx' }", "{ flag: 'w' }"],
    'init: a package of CommonJS gets an .mts': [
      "nearestPackage(directory)?.type === 'commonjs'",
      'false',
    ],
  }),
  ...checksOf('terminal', 'src/cli/plugin-init/index.ts', pluginInit, {
    'plugin init: a directory with files stays as it is': [
      '(await readdir(path)).length > 0',
      'false',
    ],
  }),
  ...checksOf('terminal', 'src/cli/plugin-init/name.ts', pluginInit, {
    'plugin init: npm accepts the letters of the name': [
      'parts.every((one) => part.test(one))',
      'true',
    ],
    'plugin init: a name has one scope at most': ['if (isWhole && ', 'if ('],
    'plugin init: names of other modules are taken': ['  ...builtinModules,', ''],
    'plugin init: a name is not long': ['name.length > longestName', 'false'],
    'plugin init: no plugin of the gateway has the name': [
      'if (await isOfGateway(operand))',
      'if (false)',
    ],
  }),
  ...checksOf('auth', 'src/cli/init/accounts.ts', init, {
    'init: the login of an address is not written': [
      'baseUrl === undefined || isPlain(baseUrl)',
      'true',
    ],
  }),
  ...checksOf('terminal', 'src/cli/config/print.ts', config, {
    'config print: a store that fails is named': [
      "if (aliases.isStale || storedAccounts.isStale) incomplete('it does not answer.')",
      '',
    ],
  }),
]
