'use strict';

const express = require('express');
const { check } = require('./auth');

// Makes an application.
function makeApp(options) {
  const app = express();
  app.get('/users/:id', check, (req, res) => res.json({}));
  return app;
}

class Cache extends Map {
  static create() {
    return new Cache();
  }

  #secret() {}
}

const helper = async (value) => value;

exports.later = function later() {};

module.exports = { makeApp, Cache };
