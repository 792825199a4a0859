const browsers = [
  ['Firefox', /Firefox\/(\d+)/],
  ['Edge', /Edg\/(\d+)/],
  ['Chrome', /Chrome\/(\d+)/],
  ['Safari', /Version\/(\d+).* Safari\//],
] as const

const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const

/** A browser by what it calls itself: `Chrome 156, Linux`. Another client is as it says. */
export function browserOf(agent: string): string {
  for (const [name, form] of browsers) {
    const version = form.exec(agent)?.[1]
    const system = systems.find((one) => agent.includes(one))
    if (version !== undefined) return [`${name} ${version}`, system].filter(Boolean).join(', ')
  }
  return agent
}
