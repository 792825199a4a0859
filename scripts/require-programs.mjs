// Installs the programs that the tests start, before they run: `node scripts/require-programs.mjs [deploy]`. Debian and
// Ubuntu have them as packages. Where an installation would ask for a password, the exact command is printed instead.
// It runs on the Node of npm: the checkout's own wants a library that minimal images lack.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The names of a program in the path, and its package. */
const programs = [
  [['redis-server'], 'redis-server'],
  [['nginx'], 'nginx'],
  [['prometheus'], 'prometheus'],
  [['promtool'], 'prometheus'],
  [['openssl'], 'openssl'],
  [['chromium', 'chromium-browser', 'google-chrome'], 'chromium'],
]
const deployPrograms = [
  [['systemd-analyze'], 'systemd'],
  [['ip'], 'iproute2'],
  [['pip3'], 'python3-pip'],
]

// As in vitest.config.ts: Debian's nginx is beyond the path of ordinary users.
const path = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
const wanted = process.argv[2] === 'deploy' ? [...programs, ...deployPrograms] : programs
const missing = wanted.filter(([names]) => !names.some(isInPath)).map(([, name]) => name)
const ownNode = 'node_modules/node/bin/node'
if (existsSync(ownNode) && spawnSync(ownNode, ['--version']).status !== 0)
  missing.push('libatomic1')
if (missing.length > 0) install([...new Set(missing)])

function isInPath(name) {
  return path.some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function install(packages) {
  // Chromium is no package of Ubuntu's; Playwright brings one.
  const hasBrowser = packages.includes('chromium') && osId() === 'ubuntu'
  const names = packages.filter((name) => !(hasBrowser && name === 'chromium'))
  const steps = [
    ...(names.length > 0
      ? [
          ['apt-get', 'update', '-qq'],
          ['apt-get', 'install', '-y', '-qq', ...names],
        ]
      : []),
    ...(hasBrowser ? [['npx', 'playwright-core', 'install', '--with-deps', 'chromium']] : []),
  ]
  const prefix = process.getuid?.() === 0 ? [] : ['sudo']
  const command = steps.map((step) => [...prefix, ...step].join(' ')).join(' && ')
  if (!isDebian() || !mayInstall(prefix)) {
    console.error(`The tests need ${packages.join(', ')}. ${adviceFor(packages, command)}`)
    process.exit(1)
  }
  console.log(`The tests need ${packages.join(', ')}: ${command}`)
  for (const [program, ...words] of steps.map((step) => [...prefix, ...step])) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status, stderr } = spawnSync(program, words, { env, encoding: 'utf8' })
    if (status === 0) continue
    console.error(`${stderr ?? ''}\nThe installation failed. Run it by hand: ${command}`)
    process.exit(1)
  }
}

function osId() {
  try {
    return /^ID="?(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

function isDebian() {
  return ['debian', 'ubuntu'].includes(osId())
}

/** Whether the package manager runs without a question. */
function mayInstall(prefix) {
  return prefix.length === 0 || spawnSync('sudo', ['-n', 'true']).status === 0
}

function adviceFor(packages, command) {
  if (isDebian()) return `Run: ${command}`
  if (process.platform === 'darwin') {
    const names = packages.map((name) => (name === 'redis-server' ? 'redis' : name))
    return `Run: brew install ${names.join(' ')}`
  }
  return 'Install them with the package manager of this machine, and put them into the path.'
}
