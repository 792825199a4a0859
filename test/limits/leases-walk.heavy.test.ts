import { walkLeases } from './leases-walk.ts'

walkLeases({ seeds: [1, 2, 3], steps: 20_000 })
