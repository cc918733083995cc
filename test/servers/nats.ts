/** The bench starts the same server, and nothing outside `test` may import from it: so the server lives there. */
export { startNats, type NatsOptions, type RunningNats } from '../../bench/servers/nats';
