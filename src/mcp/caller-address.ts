/** From where a tool is called, on the way to the requests that it makes; whatever a client sends under this name is overwritten. */
export const CALLER_ADDRESS = 'x-caller-address';
